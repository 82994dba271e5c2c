/** A guard, an interceptor and a pipe that do next to nothing: what is measured is what carries them. */
import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { type Observable, tap } from 'rxjs';

@Injectable()
export class BenchGuard implements CanActivate {
  private readonly classes = new Set<string>(['closed']);

  canActivate(context: ExecutionContext): boolean {
    return !this.classes.has(context.getClass().name);
  }
}

@Injectable()
export class BenchInterceptor implements NestInterceptor<unknown, unknown> {
  private calls = 0;

  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(tap(() => (this.calls += 1)));
  }
}

@Injectable()
export class BenchPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown): unknown {
    return value;
  }
}
