import { type Abstract, type Provider, Scope, type Type } from '@nestjs/common';
import { AmbientClientLog } from './ambient-client-log.js';
import { AmbientElicitor } from './ambient-elicitor.js';
import { AmbientProgressSource } from './ambient-progress-source.js';
import { contextStorage } from './context.storage.js';
import { McpClientLog } from './mcp-client-log.js';
import { McpElicitor } from './mcp-elicitor.js';
import { McpProgressSource } from './mcp-progress-source.js';

/**
 * What services inject to reach the handler that is running. Each of them is made for whoever injects
 * it, and not before: applications that inject none do not pay for it.
 */
export const ambientProviders: readonly Provider[] = [
  ambient(McpElicitor, AmbientElicitor),
  ambient(McpProgressSource, AmbientProgressSource),
  ambient(McpClientLog, AmbientClientLog),
];

function ambient<T>(provide: Abstract<T>, implementation: Type<T>): Provider {
  return {
    provide,
    scope: Scope.TRANSIENT,
    useFactory: () => {
      contextStorage.want();
      return new implementation();
    },
  };
}
