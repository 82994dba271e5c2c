import type { McpExchange, McpHandlerInfo } from '../exchange/index.js';
import { argumentOf } from './argument-of.js';
import type { HandlerCall } from './handler-call.js';
import type { HandlerGate } from './handler-invoker.factory.js';

/** What guards see when a handler is not called, but something is to be told in its name. */
export class GateCall implements HandlerCall {
  constructor(
    readonly handler: McpHandlerInfo,
    readonly exchange: McpExchange,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  get arguments(): unknown {
    return this.variables;
  }

  argument(name: string): unknown {
    return argumentOf(this.variables, name);
  }

  /** Nothing is injected: no handler runs. */
  context(): undefined {
    return undefined;
  }

  play(proceed: () => Promise<unknown>): Promise<unknown> {
    return proceed();
  }
}

/**
 * Whether the guards of a handler let a caller pass. A filter may make a value of a refusal, so what
 * counts is that the end is reached.
 */
export async function passesGate(gate: HandlerGate, call: GateCall): Promise<boolean> {
  let passed = false;
  try {
    await gate(call, () => {
      passed = true;
      return Promise.resolve();
    });
  } catch {
    // Nest's filters have logged what was unexpected.
    return false;
  }
  return passed;
}
