import { HandlerDefinitionException } from '../exceptions/index.js';
import { MCP_COMPLETION_METADATA } from '../mcp.constants.js';
import { McpCompletion } from './mcp-completion.decorator.js';
import { McpHandler } from './mcp-handler.decorator.js';
import { McpPrompt } from './mcp-prompt.decorator.js';
import { McpResource } from './mcp-resource.decorator.js';
import { McpTool } from './mcp-tool.decorator.js';

class Desk {
  run(): string {
    return 'done';
  }
}

/** Decorates a method of a class of its own, the nearest decorator first. */
function decorated(...decorators: MethodDecorator[]): () => unknown {
  class Bank extends Desk {
    override run(): string {
      return super.run();
    }
  }
  return () => {
    const descriptor = Object.getOwnPropertyDescriptor(Bank.prototype, 'run');
    for (const decorate of decorators) decorate(Bank.prototype, 'run', descriptor ?? {});
    return descriptor?.value as unknown;
  };
}

describe('The decorators of a handler', () => {
  it.each<[string, MethodDecorator, MethodDecorator]>([
    ['McpTool', McpTool({ name: 'a' }), McpTool({ name: 'b' })],
    ['McpPrompt', McpPrompt({ name: 'a' }), McpPrompt()],
    ['McpResource', McpResource({ uri: 'a://a' }), McpResource({ uriTemplate: 'a://{x}' })],
    ['McpHandler', McpHandler(), McpHandler()],
  ])('are on a method once: @%s()', (name, one, other) => {
    expect(decorated(one, other)).toThrow(HandlerDefinitionException);
    expect(decorated(one, other)).toThrow(
      new Error(
        `Bank.run: @${name}() is on it twice, and one of them would be lost. Leave one out, or add a method that calls this one.`,
      ),
    );
  });

  it('may be of several kinds', () => {
    const kinds = [McpTool(), McpPrompt(), McpResource({ uri: 'a://a' }), McpHandler()];
    expect(decorated(...kinds)).not.toThrow();
  });

  it('may be on a method and on the one it overrides', () => {
    class Base {
      @McpTool({ name: 'a' })
      run(): string {
        return 'a';
      }
    }
    expect(() => {
      class Derived extends Base {
        @McpTool({ name: 'b' })
        override run(): string {
          return 'b';
        }
      }
      return Derived;
    }).not.toThrow();
  });

  it('let a method complete several arguments', () => {
    const options = ['a', 'b'].map((argument) => ({ prompt: 'p', argument }));
    const method = decorated(...options.map(McpCompletion))();
    expect(Reflect.getMetadata(MCP_COMPLETION_METADATA, method as object)).toEqual(
      [...options].reverse(),
    );
  });

  it.each<[string, MethodDecorator]>([
    ['McpTool', McpTool()],
    ['McpCompletion', McpCompletion({ prompt: 'p', argument: 'a' })],
  ])('are on no static method: @%s()', (name, decorate) => {
    const descriptor = { value: () => 'done' };
    expect(() => decorate(Desk, 'all', descriptor)).toThrow(
      new Error(
        `Desk.all: @${name}() is on a static method. Make it an instance method of a provider.`,
      ),
    );
  });
});
