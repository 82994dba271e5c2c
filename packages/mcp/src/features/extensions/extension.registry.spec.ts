import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { InvalidOptionsException } from '../../exceptions/index.js';
import { ExtensionRegistry } from './extension.registry.js';
import { McpExtension } from './mcp-extension.js';

class Plain extends McpExtension {
  readonly identifier = 'com.example/plain';
  attach(): void {
    expect(this.methods).toEqual([]);
  }
}

describe('ExtensionRegistry', () => {
  it('holds each extension once', () => {
    const registry = new ExtensionRegistry();
    expect(registry.settings).toBeUndefined();
    const plain = new Plain();
    registry.add(plain);
    expect(registry.get(plain.identifier)).toBe(plain);
    expect(registry.settings).toEqual({ [plain.identifier]: {} });
    expect(registry.topics).toEqual([]);
    expect(() => registry.add(new Plain())).toThrow(InvalidOptionsException);
  });

  it('tells every listener, and throws nothing at the bus', () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const registry = new ExtensionRegistry();
    const heard: string[] = [];
    registry.listen('a', () => {
      throw new Error('broken');
    });
    registry.listen('a', (key) => void heard.push(key));
    const change = { type: 'extension', key: '1', server: 's' } as const;
    registry.tell({ ...change, extension: 'a' });
    registry.tell({ ...change, extension: 'b' });
    expect(heard).toEqual(['1']);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});
