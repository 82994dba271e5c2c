import type { HandlerHost } from '../../discovery/index.js';
import { definitionError } from '../argument-schema.js';
import type { ExtensionRegistry, McpToolTaker } from '../extensions/index.js';
import type { HandlerCompiler } from '../handler-compiler.js';
import type { HandlerGate, HandlerInvoker } from '../../pipeline/index.js';

/** What an extension makes of a tool. */
export interface ToolExtension {
  readonly taker: McpToolTaker;
  /** What lets callers pass whose call is answered before it runs. */
  readonly gate: HandlerGate;
  /** Runs calls that were let pass before. */
  readonly invokeAdmitted: HandlerInvoker;
}

/** @throws HandlerDefinitionException when the server does not have the extension, or it says so */
export function compileToolExtension(
  host: HandlerHost,
  name: string,
  extensions: ExtensionRegistry,
  compiler: HandlerCompiler,
): ToolExtension | undefined {
  const takers = (host.extensions ?? []).flatMap(
    ({ decorator, extension: identifier, options }) => {
      const extension = extensions.get(identifier);
      if (extension === undefined) {
        throw definitionError(
          host,
          `it has @${decorator}(), and its server does not have the extension ${identifier}`,
          'Import the module of the extension beside McpModule.forRoot(), for the same server',
        );
      }
      const tool = {
        name,
        definitionError: (fact: string, mend: string) => definitionError(host, fact, mend),
      };
      return extension.extendTool?.(tool, options) ?? [];
    },
  );
  const [taker, ...others] = takers;
  if (taker === undefined) return undefined;
  if (others.length > 0) {
    throw definitionError(
      host,
      'several extensions would answer its calls',
      'Leave all but one out',
    );
  }
  return { taker, gate: compiler.gate(host), invokeAdmitted: compiler.admitted(host) };
}
