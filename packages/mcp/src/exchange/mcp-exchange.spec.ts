import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { JsonRpcNotification } from '../protocol/index.js';
import { McpClient } from './mcp-client.js';
import { McpExchange } from './mcp-exchange.js';

describe('McpExchange', () => {
  const sent: JsonRpcNotification[] = [];
  const request = { user: 'ada' };
  const headers = { host: 'localhost' };
  const listeners: ((reason: unknown) => void)[] = [];
  let cancelled = false;
  const client = new McpClient(undefined, {});
  const meta = { progressToken: 1 } as never;
  const exchange = new McpExchange('7', 'tools/call', '2026-07-28', client, meta, {
    transport: 'http',
    headers,
    request,
    get cancelled() {
      return cancelled;
    },
    onCancel: (listener) => listeners.push(listener),
    notify: (notification) => sent.push(notification) > 0,
    drop: () => undefined,
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
    expect(exchange.aborted).toBe(false);
    expect(listeners).toHaveLength(0);
    expect(exchange.signal).toBe(exchange.signal);
    expect(listeners).toHaveLength(1);
  });

  it('knows without a signal that the client has gone', () => {
    cancelled = true;
    const blind = new McpExchange(1, 'tools/call', '2026-07-28', client, meta, {
      transport: 'http',
      headers,
      request,
      cancelled,
      onCancel: () => undefined,
      notify: () => true,
      drop: () => undefined,
    });
    expect(blind.aborted).toBe(true);
    cancelled = false;
  });

  it('is ended by the client, or by the server, with the first reason given', () => {
    const { signal } = exchange;
    expect(exchange.aborted).toBe(false);
    exchange.abort('too slow');
    listeners[0]?.('gone');
    expect(signal.reason).toBe('too slow');
    expect(exchange.aborted).toBe(true);
  });

  it('tells everybody of its end, also when one of them fails', () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const told = jest.fn();
    const error = new Error('no');
    const fails = (): never => {
      throw error;
    };
    const ending = new McpExchange(2, 'tools/call', '2026-07-28', client, meta, {
      transport: 'http',
      headers,
      request,
      cancelled: false,
      onCancel: () => undefined,
      notify: () => true,
      drop: () => undefined,
    });
    ending.onAbort(fails);
    ending.onAbort(told);
    ending.abort('too slow');
    ending.onAbort(fails);
    ending.onAbort(told);
    expect(told).toHaveBeenCalledTimes(2);
    expect(logged.mock.calls).toEqual([[error], [error]]);
    logged.mockRestore();
  });

  it('sends notifications where the request came from', () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/progress' } as const;
    exchange.notify(notification);
    expect(sent).toEqual([notification]);
  });
});
