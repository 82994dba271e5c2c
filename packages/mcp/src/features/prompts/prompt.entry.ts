import { McpPromptContext } from '../../context/index.js';
import { type McpPromptOptions, PROMPT_OPTIONS } from '../../decorators/index.js';
import type { HandlerHost, PromptHandler } from '../../discovery/index.js';
import type { Prompt, PromptArgument } from '../../protocol/index.js';
import { type CompiledSchema, propertyOf, type SchemaSource } from '../../schema/index.js';
import {
  checkArgNames,
  compileInput,
  convertStrings,
  declaredInput,
  definitionError,
  hasArgs,
  prepareArguments,
  refuseHeaders,
  schemaOfParams,
} from '../argument-schema.js';
import {
  type Completable,
  compileArgumentCompletions,
} from '../completions/argument-completions.js';
import type { CompiledHandler, HandlerCompiler } from '../handler-compiler.js';
import { checkMetadata } from '../handler-metadata.js';
import { checkOptionNames } from '../handler-options.js';
import type { Listed } from '../lists/handler-list.js';
import { undecoratedArgs, unknownArguments } from '../unknown-arguments.js';

/** A prompt ready to be listed and called. */
export interface PromptEntry extends CompiledHandler, Completable, Listed<Prompt> {}

/** @throws HandlerDefinitionException when the prompt cannot be served as declared */
export function compilePrompt(
  { host, options }: PromptHandler,
  compiler: HandlerCompiler,
): PromptEntry {
  checkOptionNames(host, 'McpPrompt', 'prompts', options, PROMPT_OPTIONS);
  const name = options.name ?? host.methodName;
  if (name === '') {
    throw definitionError(host, 'the prompt has an empty name', 'Give it one, or leave it out');
  }
  checkMetadata(host, { icons: options.icons, meta: options.meta });
  const input = compileInput(host, inputOf(host, options));
  checkArgNames(host, input.json, 'the input schema');
  refuseHeaders(host, input.json);
  const info = { kind: 'prompt', name } as const;
  return {
    descriptor: describe(name, options, input),
    ...compiler.compile(host, info, options),
    completions: compileArgumentCompletions(
      host,
      info,
      argumentNames(input),
      input.json,
      options,
      compiler,
    ),
    prepare: (args) => prepareArguments(name, input, convertStrings(input.json, args)),
    contextFor: (target, exchange, round) => new McpPromptContext(target, exchange, round),
  };
}

/** @throws HandlerDefinitionException when nothing names the arguments */
function inputOf(host: HandlerHost, options: McpPromptOptions): SchemaSource {
  const given = declaredInput(host, options.input);
  if (given !== undefined) return given;
  const named = schemaOfParams(host);
  const anonymous = Object.keys(named.properties ?? {}).length === 0;
  if (hasArgs(host) && (anonymous || undecoratedArgs(host) !== undefined)) {
    throw unknownArguments(host, 'give @McpPrompt({ input })');
  }
  return named;
}

/** `undefined` for a schema that takes any and names none. */
function argumentNames({ json }: CompiledSchema): readonly string[] | undefined {
  const names = Object.keys(json.properties ?? {});
  return names.length === 0 && json.additionalProperties !== false ? undefined : names;
}

function describe(name: string, options: McpPromptOptions, { json }: CompiledSchema): Prompt {
  const { title, description, icons, meta } = options;
  const args = Object.keys(json.properties ?? {}).map((argument): PromptArgument => {
    const property = propertyOf(json, argument);
    return {
      name: argument,
      ...(property?.title !== undefined && { title: property.title }),
      ...(property?.description !== undefined && { description: property.description }),
      required: json.required?.includes(argument) ?? false,
    };
  });
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(args.length > 0 && { arguments: args }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: meta }),
  };
}
