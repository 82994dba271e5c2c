import { McpCompletionContext } from '../../context/index.js';
import {
  COMPLETION_OPTIONS,
  type McpCompletionOptions,
  McpParamtype,
} from '../../decorators/index.js';
import type { CompletionHandler, HandlerHost, Registered } from '../../discovery/index.js';
import type { McpHandlerInfo } from '../../exchange/index.js';
import type { HandlerInvoker } from '../../pipeline/index.js';
import type { PromptReference, ResourceTemplateReference } from '../../protocol/index.js';
import { compileSchema, type JsonSchema } from '../../schema/index.js';
import {
  argsDto,
  convertStrings,
  definitionError,
  prepareArguments,
  schemaOfParams,
} from '../argument-schema.js';
import type { HandlerCompiler } from '../handler-compiler.js';
import { checkOptionNames } from '../handler-options.js';
import type { Completer } from './completion-call.js';

/** A decorated completion ready to be called. */
export interface CompletionEntry extends Completer, Registered {
  readonly ref: PromptReference | ResourceTemplateReference;
  /** The argument it completes. */
  readonly argument: string;
  /** The other arguments it injects. */
  readonly uses: readonly string[];
  readonly invoke: HandlerInvoker;
}

/** @throws HandlerDefinitionException when the completion cannot be served as declared */
export function compileCompletion(
  { host, options }: CompletionHandler,
  compiler: HandlerCompiler,
): CompletionEntry {
  checkOptions(host, options);
  const { argument } = options;
  checkParams(host, argument);
  const ref = referenceOf(host, options);
  const name = nameOf(ref);
  const info: McpHandlerInfo = { kind: 'completion', name, argument };
  const { limits, invoke } = compiler.compile(host, info, options);
  const schema = othersSchema(host);
  const compiled = compileSchema(schema, 'input');
  return {
    host,
    info,
    ref,
    argument,
    uses: Object.keys(schema.properties ?? {}),
    limits,
    invoke,
    prepare: (args) => prepareArguments(name, compiled, convertStrings(schema, args)),
  };
}

/** What a reference names. */
export function nameOf(ref: CompletionEntry['ref']): string {
  return ref.type === 'ref/prompt' ? ref.name : ref.uri;
}

function referenceOf(host: HandlerHost, options: McpCompletionOptions): CompletionEntry['ref'] {
  const { prompt, resource } = options as { prompt?: string; resource?: string };
  if (typeof prompt === 'string' && resource === undefined) {
    return { type: 'ref/prompt', name: prompt };
  }
  if (typeof resource === 'string' && prompt === undefined) {
    return { type: 'ref/resource', uri: resource };
  }
  throw definitionError(
    host,
    '@McpCompletion() must name either a prompt or a resource template',
    'Write @McpCompletion({ prompt: name, argument }) or @McpCompletion({ resource: uriTemplate, argument })',
  );
}

function checkOptions(host: HandlerHost, options: McpCompletionOptions): void {
  checkOptionNames(host, 'McpCompletion', 'completions', options, COMPLETION_OPTIONS);
  if (typeof options.argument !== 'string' || options.argument === '') {
    throw definitionError(
      host,
      '@McpCompletion() does not say which argument it completes',
      'Give it as "argument"',
    );
  }
}

function checkParams(host: HandlerHost, argument: string): void {
  for (const { paramtype, name, type } of host.params) {
    switch (paramtype) {
      case McpParamtype.Value:
        if (isText(type)) break;
        throw definitionError(
          host,
          `@McpValue() is typed ${(type as { name: string }).name}, and what somebody has typed is text`,
          'Type the parameter string',
        );
      case McpParamtype.Elicitor:
        throw definitionError(
          host,
          'a completion cannot ask anybody',
          'Leave out @McpElicit(); ask in the prompt or resource',
        );
      case McpParamtype.Context:
        if (type === undefined || type === Object || type === McpCompletionContext) break;
        throw definitionError(
          host,
          `@McpContext() is typed ${(type as { name: string }).name}, which a completion does not have`,
          'Type the parameter McpCompletionContext',
        );
      case McpParamtype.Arg:
        if (name !== argument) break;
        throw definitionError(
          host,
          `@McpArg(${JSON.stringify(name)}) names the argument that is completed, which has no value yet`,
          'Use @McpValue() for what has been typed',
        );
      case McpParamtype.Args:
        if (argsDto(host) === undefined) break;
        throw definitionError(
          host,
          '@McpArgs() is typed with a DTO, and arguments are neither complete nor validated while they are typed',
          'Type the parameter Record<string, string>',
        );
      case McpParamtype.Principal:
      case McpParamtype.Signal:
      case 'custom':
    }
  }
}

/** Interfaces, unions and what TypeScript does not tell are taken for text. */
function isText(type: unknown): boolean {
  return type === String || type === Object || type === undefined;
}

/** The other arguments: none must be there yet, and those that nobody injects stay text. */
function othersSchema(host: HandlerHost): JsonSchema {
  const { properties = {} } = schemaOfParams(host);
  return { type: 'object', properties };
}
