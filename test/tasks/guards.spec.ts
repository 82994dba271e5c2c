import {
  type ArgumentMetadata,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import {
  McpContext,
  McpExecutionContext,
  McpInProcess,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { InMemoryTaskStore, McpTask, type TaskRecord } from '@dacapo/tasks';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, send, until } from '../support/task-client.js';

let ran: string[];

@Injectable()
class OnlyStaff implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers, transport } = McpExecutionContext.create(context).getExchange();
    ran.push(`guard of ${transport}`);
    return headers['user'] === 'staff';
  }
}

@Injectable()
class Watches implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { headers, transport } = McpExecutionContext.create(context).getExchange();
    ran.push(`interceptor of ${transport}, ${Object.keys(headers).length} headers`);
    return next.handle();
  }
}

@Injectable()
class Pipes implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    ran.push(`pipe of ${type}`);
    return value;
  }
}

@Injectable()
@UseGuards(OnlyStaff)
class GuardedTools {
  @McpTask()
  @McpTool()
  @UseInterceptors(Watches)
  @UsePipes(Pipes)
  async guarded(@McpContext() ctx: McpToolContext): Promise<string> {
    ran.push('handler');
    return String(await ctx.confirm('Sure?', { key: 'sure' }));
  }
}

class Witness extends InMemoryTaskStore {
  created = 0;

  override create(record: TaskRecord): Promise<void> {
    this.created += 1;
    return super.create(record);
  }
}

const PLAYED = ['interceptor of task, 0 headers', 'pipe of custom', 'handler'];

beforeEach(() => {
  ran = [];
});

afterEach(closeTaskApps);

describe('the guards of a task', () => {
  it('refuse before there is one', async () => {
    const store = new Witness();
    const { app } = await startTasks({ providers: [GuardedTools], store });
    const client = McpInProcess.connect(app, { headers: { user: 'guest' } });
    expect(await call(client, 'guarded')).toMatchObject({ code: 403 });
    expect(store.created).toBe(0);
    expect(ran).toEqual(['guard of in-process']);
  });

  it('run once, and interceptors and pipes in each round', async () => {
    const { app } = await startTasks({ providers: [GuardedTools] });
    const client = McpInProcess.connect(app, { headers: { user: 'staff' } });
    const { taskId } = await call(client, 'guarded');
    await until(client, taskId, 'input_required');
    expect(ran).toEqual(['guard of in-process', ...PLAYED]);
    const inputResponses = { sure: { action: 'accept', content: { confirmed: true } } };
    await send(client, 'tasks/update', { taskId, inputResponses });
    await until(client, taskId, 'completed');
    expect(ran).toEqual(['guard of in-process', ...PLAYED, ...PLAYED]);
  });
});
