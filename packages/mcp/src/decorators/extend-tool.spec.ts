import { HandlerDefinitionException } from '../exceptions/index.js';
import { MCP_TOOL_EXTENSIONS_METADATA } from '../mcp.constants.js';
import { extendTool } from './extend-tool.js';

const Job = (max: number): MethodDecorator => extendTool('Job', 'a/jobs', { max });
const Audit = (): MethodDecorator => extendTool('Audit', 'a/audit', undefined);

/** What the decorators leave on a method. */
function extensionsOf(prototype: object): unknown {
  const method = Object.getOwnPropertyDescriptor(prototype, 'run')?.value as object;
  return Reflect.getOwnMetadata(MCP_TOOL_EXTENSIONS_METADATA, method);
}

const job = (max: number): object => ({ decorator: 'Job', extension: 'a/jobs', options: { max } });
const audit = { decorator: 'Audit', extension: 'a/audit', options: undefined };

describe('The decorator of an extension', () => {
  it('leaves its options on the method', () => {
    class Bank {
      @Job(1)
      run(): string {
        return 'done';
      }
    }
    expect(extensionsOf(Bank.prototype)).toEqual([job(1)]);
  });

  it('stands beside those of other extensions', () => {
    class Bank {
      @Audit()
      @Job(1)
      run(): string {
        return 'done';
      }
    }
    expect(extensionsOf(Bank.prototype)).toEqual([job(1), audit]);
  });

  it('is on a method once', () => {
    const define = (): unknown => {
      class Bank {
        @Job(2)
        @Job(1)
        run(): string {
          return 'done';
        }
      }
      return Bank;
    };
    expect(define).toThrow(HandlerDefinitionException);
    expect(define).toThrow(
      new Error('Bank.run: @Job() is on it twice, and one of them would be lost. Leave one out.'),
    );
  });

  it('may be on a method and on the one it overrides', () => {
    class Base {
      @Job(1)
      run(): string {
        return 'a';
      }
    }
    class Derived extends Base {
      @Job(2)
      override run(): string {
        return 'b';
      }
    }
    expect(extensionsOf(Base.prototype)).toEqual([job(1)]);
    expect(extensionsOf(Derived.prototype)).toEqual([job(2)]);
  });

  it('says so where it is used as a standard decorator', () => {
    const standard = Job(1) as unknown as (method: () => void, context: object) => void;
    expect(() => standard(() => undefined, { kind: 'method', name: 'run' })).toThrow('@Job()');
  });
});
