import { HandlerDefinitionException, InvalidOptionsException } from '@dacapo/mcp';
import type { McpTaskOptions } from './decorators/mcp-task.decorator.js';
import { resolveTasksOptions } from './mcp-tasks-module-options.interface.js';
import { resolveTaskOptions, type TaskOptions } from './task-options.js';

const tool = {
  name: 'tool',
  definitionError: (fact: string, mend: string) =>
    new HandlerDefinitionException('Tools', 'tool', fact, mend),
};

function resolve(options: McpTaskOptions): TaskOptions {
  return resolveTaskOptions(tool, options, resolveTasksOptions({}));
}

describe('the options of a task', () => {
  it('have defaults', () => {
    const defaults = { ttlMs: 3_600_000, pollIntervalMs: 2_000, required: false };
    expect(resolve({})).toEqual({ ...defaults, begin: 'at-once', afterMs: undefined });
    expect(resolve({ afterMs: 5, required: true })).toMatchObject({
      begin: 'on-detach',
      required: true,
    });
  });

  it.each<[McpTaskOptions, string]>([
    [{ ttl: 5 } as McpTaskOptions, '"ttl"'],
    [{ ttlMs: 0 }, 'a ttlMs of 0'],
    [{ pollIntervalMs: 0.5 }, 'a pollIntervalMs of 0.5'],
    [{ afterMs: 2 ** 31 }, 'a afterMs of 2147483648'],
    [null as never, 'something in the place of its options'],
    ['10s' as never, 'something in the place of its options'],
    [{ required: 'yes' } as never, 'is required: yes'],
    [{ begin: 'at-once', afterMs: 5 }, 'at once, and again'],
    [{ begin: 'detach' } as never, 'a begin of detach'],
    [{ begin: null } as never, 'a begin of null'],
  ])('refuse %j', (options, words) => {
    expect(() => resolve(options)).toThrow(HandlerDefinitionException);
    expect(() => resolve(options)).toThrow(words);
  });

  it('of the module refuse what could not be kept', () => {
    expect(() => resolveTasksOptions({ ttlMs: -1 })).toThrow(InvalidOptionsException);
    expect(() => resolveTasksOptions({ ttl: 1 } as never)).toThrow(
      'McpTasksModule option ttl is no option. Leave it out; there are server, store, runner, ttlMs, ',
    );
    expect(resolveTasksOptions({ graceMs: 5 })).toMatchObject({ graceMs: 5, takeoverMs: 30_000 });
  });
});
