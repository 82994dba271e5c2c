import { McpExecutionContext } from '@dacapo/mcp';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';

/** Lets in callers who are somebody. */
@Injectable()
export class AuthenticatedGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const call = McpExecutionContext.create(context);
    if (call.getExchange().principal !== null) return true;
    const { kind, name } = call.getHandlerInfo();
    throw new UnauthorizedException(
      `The ${kind} ${name} is for signed-in callers. Send a bearer token.`,
    );
  }
}
