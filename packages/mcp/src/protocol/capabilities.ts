import type { JsonObject } from './json.js';

/**
 * What the client can do, declared on every request.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#clientcapabilities
 */
export interface ClientCapabilities {
  experimental?: { [name: string]: JsonObject };
  roots?: object;
  sampling?: { context?: JsonObject; tools?: JsonObject };
  /** `{}` means form mode only. */
  elicitation?: { form?: JsonObject; url?: JsonObject };
  extensions?: { [identifier: string]: JsonObject };
}

/** What the server offers, announced by `server/discover`. */
export interface ServerCapabilities {
  experimental?: { [name: string]: JsonObject };
  logging?: JsonObject;
  completions?: JsonObject;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
  extensions?: { [identifier: string]: JsonObject };
}
