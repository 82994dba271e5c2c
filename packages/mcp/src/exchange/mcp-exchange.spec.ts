import type { JsonRpcNotification } from '../protocol/index.js';
import { McpClient } from './mcp-client.js';
import { McpExchange } from './mcp-exchange.js';

describe('McpExchange', () => {
  const sent: JsonRpcNotification[] = [];
  const { signal } = new AbortController();
  const request = { user: 'ada' };
  const headers = { host: 'localhost' };
  let signals = 0;
  const client = new McpClient(undefined, {});
  const meta = { progressToken: 1 } as never;
  const exchange = new McpExchange('7', 'tools/call', '2026-07-28', client, meta, {
    transport: 'http',
    headers,
    request,
    signal: () => {
      signals += 1;
      return signal;
    },
    notify: (notification) => sent.push(notification),
  });

  it('tells what the request said, and where it came from', () => {
    expect(exchange).toMatchObject({
      id: '7',
      method: 'tools/call',
      protocolVersion: '2026-07-28',
      transport: 'http',
    });
    expect(exchange.client).toBe(client);
    expect(exchange.meta).toBe(meta);
    expect(exchange.headers).toBe(headers);
    expect(exchange.request).toBe(request);
  });

  it('knows nobody until the principal source has spoken', () => {
    expect(exchange.principal).toBeNull();
  });

  it('makes a signal only for those who look', () => {
    expect(signals).toBe(0);
    expect(exchange.signal).toBe(signal);
    expect(signals).toBe(1);
  });

  it('sends notifications where the request came from', () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/progress' } as const;
    exchange.notify(notification);
    expect(sent).toEqual([notification]);
  });
});
