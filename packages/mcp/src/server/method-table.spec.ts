import { jest } from '@jest/globals';
import {
  InvalidOptionsException,
  MissingRequiredClientCapabilityException,
} from '../exceptions/index.js';
import type { McpExchange } from '../exchange/index.js';
import { someExchange } from '../exchange/exchange.fixture.js';
import { McpExtension, type McpExtensionMethod } from '../features/extensions/index.js';
import { MethodTable } from './method-table.js';

const EXTENSION = 'com.example/jobs';
const DONE = { resultType: 'complete' } as const;

class Jobs extends McpExtension {
  readonly identifier = EXTENSION;

  constructor(private readonly brought: readonly McpExtensionMethod[] = []) {
    super();
  }

  override get methods(): readonly McpExtensionMethod[] {
    return this.brought;
  }

  attach(): void {
    // Does nothing.
  }
}

const exchangeOf = (extensions: Record<string, object>): McpExchange =>
  someExchange('jobs/get', { extensions } as never);

const table = (): MethodTable =>
  new MethodTable([['tools/list', { identify: true, handle: () => DONE }]]);

describe('MethodTable', () => {
  it('knows its methods, and no others', () => {
    expect(table().get('tools/list')).toBeDefined();
    expect(table().get('jobs/get')).toBeUndefined();
    expect(table().get('constructor')).toBeUndefined();
  });

  it('takes the methods of an extension, for callers that are known', async () => {
    const methods = table();
    const handle = jest.fn<McpExtensionMethod['handle']>(() => DONE);
    methods.extend(
      new Jobs([
        { name: 'jobs/get', namedBy: 'jobId', handle },
        { name: 'jobs/list', handle: () => DONE },
      ]),
    );
    expect(methods.get('jobs/get')).toMatchObject({ identify: true, namedBy: 'jobId' });
    expect(methods.get('jobs/list')).toMatchObject({ identify: true });
    expect(methods.get('jobs/list')).not.toHaveProperty('namedBy');
    const exchange = exchangeOf({ [EXTENSION]: {} });
    expect(await methods.get('jobs/get')?.handle(exchange, { jobId: '7' })).toBe(DONE);
    expect(handle.mock.calls).toEqual([[exchange, { jobId: '7' }]]);
  });

  it('refuses them to a client without the extension, before anything is looked up', () => {
    const methods = table();
    const handle = jest.fn<McpExtensionMethod['handle']>(() => DONE);
    methods.extend(new Jobs([{ name: 'jobs/get', handle }]));
    let refusal: unknown;
    try {
      void methods.get('jobs/get')?.handle(exchangeOf({ 'com.example/other': {} }), {});
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(MissingRequiredClientCapabilityException);
    expect(refusal).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
    });
    expect(handle).not.toHaveBeenCalled();
  });

  it.each<[string, readonly string[]]>([
    ['the protocol', ['tools/list']],
    ['the same extension', ['jobs/get', 'jobs/get']],
  ])('takes no method that is one of %s already', (_, names) => {
    const extension = new Jobs(names.map((name) => ({ name, handle: () => DONE })));
    const extend = (): void => table().extend(extension);
    expect(extend).toThrow(InvalidOptionsException);
    expect(extend).toThrow(
      `has an extension ${EXTENSION} with a method ${String(names.at(-1))}, which the server has already`,
    );
  });
});
