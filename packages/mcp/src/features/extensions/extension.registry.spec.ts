import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { InvalidOptionsException } from '../../exceptions/index.js';
import { ExtensionRegistry } from './extension.registry.js';
import { McpExtension, type McpExtensionTopic } from './mcp-extension.js';

const TOPIC: McpExtensionTopic = {
  member: 'jobIds',
  honour: (keys) => keys,
  notification: () => undefined,
};

class Extension extends McpExtension {
  override readonly settings = { max: 1 };

  constructor(
    readonly identifier: string,
    private readonly listened?: McpExtensionTopic,
  ) {
    super();
  }

  override get topic(): McpExtensionTopic | undefined {
    return this.listened;
  }

  attach(): void {
    // Does nothing.
  }
}

const change = (extension: string, key: string) =>
  ({ type: 'extension', server: 's', extension, key }) as const;

describe('ExtensionRegistry', () => {
  it('says nothing where there are no extensions', () => {
    const registry = new ExtensionRegistry();
    expect(registry.settings).toBeUndefined();
    expect(registry.topics).toEqual([]);
    expect(registry.get('a/jobs')).toBeUndefined();
  });

  it('knows the extensions of a server, and those that have a topic', () => {
    const registry = new ExtensionRegistry();
    const jobs = new Extension('a/jobs', TOPIC);
    registry.add(jobs);
    registry.add(new Extension('a/plain'));
    expect(registry.get('a/jobs')).toBe(jobs);
    expect(registry.settings).toEqual({ 'a/jobs': { max: 1 }, 'a/plain': { max: 1 } });
    expect(registry.topics).toEqual([{ extension: 'a/jobs', topic: TOPIC }]);
  });

  it('takes each of them once', () => {
    const registry = new ExtensionRegistry();
    registry.add(new Extension('a/jobs'));
    const twice = (): void => registry.add(new Extension('a/jobs'));
    expect(twice).toThrow(InvalidOptionsException);
    expect(twice).toThrow('has the extension a/jobs twice for one server');
  });

  it('tells everybody who listens to an extension, and nobody else', () => {
    const registry = new ExtensionRegistry();
    const told: string[] = [];
    registry.listen('a/jobs', (key) => told.push(`one ${key}`));
    registry.listen('a/jobs', (key) => told.push(`two ${key}`));
    registry.listen('a/other', (key) => told.push(`other ${key}`));
    registry.tell(change('a/jobs', '7'));
    registry.tell(change('a/nobody', '8'));
    expect(told).toEqual(['one 7', 'two 7']);
  });

  it('tells the others where a listener fails', () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const registry = new ExtensionRegistry();
    const error = new Error('a bug');
    const told = jest.fn();
    registry.listen('a/jobs', () => {
      throw error;
    });
    registry.listen('a/jobs', told);
    registry.tell(change('a/jobs', '7'));
    expect(told.mock.calls).toEqual([['7']]);
    expect(logged.mock.calls).toEqual([[error]]);
    logged.mockRestore();
  });
});
