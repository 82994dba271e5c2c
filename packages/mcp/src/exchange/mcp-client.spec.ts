import type { ClientCapabilities } from '../protocol/index.js';
import type { ClientFeature } from './client-feature.js';
import { McpClient } from './mcp-client.js';

describe('McpClient', () => {
  it('tells what the client says of itself', () => {
    const info = { name: 'client', version: '1' };
    const capabilities = { roots: {} };
    const client = new McpClient(info, capabilities);
    expect(client.info).toBe(info);
    expect(client.capabilities).toBe(capabilities);
    expect(new McpClient(undefined, {}).info).toBeUndefined();
  });

  it.each<[ClientCapabilities, ClientFeature, boolean]>([
    [{}, 'elicitation', false],
    [{ elicitation: {} }, 'elicitation', true],
    [{ elicitation: { url: {} } }, 'elicitation', true],
    [{}, 'elicitation.form', false],
    [{ elicitation: {} }, 'elicitation.form', true],
    [{ elicitation: { form: {} } }, 'elicitation.form', true],
    [{ elicitation: { form: { any: 1 } } }, 'elicitation.form', true],
    [{ elicitation: { url: {} } }, 'elicitation.form', false],
    [{ elicitation: { form: {}, url: {} } }, 'elicitation.form', true],
    [{}, 'elicitation.url', false],
    [{ elicitation: {} }, 'elicitation.url', false],
    [{ elicitation: { form: {} } }, 'elicitation.url', false],
    [{ elicitation: { url: {} } }, 'elicitation.url', true],
    [{ elicitation: { form: {}, url: {} } }, 'elicitation.url', true],
    [{}, 'sampling', false],
    [{ sampling: {} }, 'sampling', true],
    [{ sampling: {} }, 'sampling.context', false],
    [{ sampling: { context: {} } }, 'sampling.context', true],
    [{ sampling: { context: {} } }, 'sampling.tools', false],
    [{ sampling: { tools: {} } }, 'sampling.tools', true],
    [{}, 'sampling.tools', false],
    [{}, 'roots', false],
    [{ roots: {} }, 'roots', true],
    [{}, 'extensions.com.example/x', false],
    [{ extensions: {} }, 'extensions.com.example/x', false],
    [{ extensions: { 'com.example/x': {} } }, 'extensions.com.example/x', true],
    [{ extensions: { 'com.example/y': {} } }, 'extensions.com.example/x', false],
    [{ extensions: { x: {} } }, 'extensions.x', true],
  ])('with %j supports %s: %s', (capabilities, feature, supported) => {
    expect(new McpClient(undefined, capabilities).supports(feature)).toBe(supported);
  });

  it('does not take null for a mode', () => {
    const capabilities = { elicitation: { form: null, url: {} } } as unknown as ClientCapabilities;
    expect(new McpClient(undefined, capabilities).supports('elicitation.form')).toBe(false);
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'does not take what every object inherits for the extension %s',
    (name) => {
      expect(new McpClient(undefined, { extensions: {} }).supports(`extensions.${name}`)).toBe(
        false,
      );
    },
  );
});
