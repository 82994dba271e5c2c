import type { HandlerOptions } from '../../decorators/index.js';
import { McpParamtype } from '../../decorators/index.js';
import type { HandlerHost, HandlerParam } from '../../discovery/index.js';
import type { McpHandlerInfo } from '../../exchange/index.js';
import type { HandlerGate } from '../../pipeline/index.js';
import { enumeratedValues, type JsonSchema, propertyOf } from '../../schema/index.js';
import { definitionError } from '../argument-schema.js';
import type { HandlerCompiler } from '../handler-compiler.js';
import { compileLimits } from '../handler-limits.js';
import type { McpCompletionContext } from '../../context/index.js';
import type { Completer } from './completion-call.js';
import { ValueMatcher } from './value-matcher.js';

/** What completes an argument without a method of its own. */
export interface BuiltInCompletion {
  /** Whether the author has asked for it, or the argument's type has. */
  readonly declared: boolean;
  complete(context: McpCompletionContext): unknown;
}

/** How the arguments of a prompt, or the variables of a template, are completed. */
export interface ArgumentCompletions extends Completer {
  /** Their names; `undefined` when any will do. */
  readonly names: readonly string[] | undefined;
  readonly builtIn: ReadonlyMap<string, BuiltInCompletion>;
  /** The guards that decide who may use them. */
  readonly gate: HandlerGate;
}

/** Something whose arguments are completed. */
export interface Completable {
  readonly completions: ArgumentCompletions;
}

/**
 * What completes the arguments of a handler: the `complete` option of `@McpArg()`, or the values that
 * their schema names.
 * @throws HandlerDefinitionException for a list nobody could be shown
 */
export function compileArgumentCompletions(
  host: HandlerHost,
  { kind, name }: McpHandlerInfo,
  names: readonly string[] | undefined,
  schema: JsonSchema,
  { timeoutMs, maxConcurrent }: HandlerOptions,
  compiler: HandlerCompiler,
): ArgumentCompletions {
  const builtIn = new Map<string, BuiltInCompletion>();
  for (const argument of names ?? []) {
    const completion = declaredFor(host, argument) ?? enumerated(schema, argument);
    if (completion !== undefined) builtIn.set(argument, completion);
  }
  return {
    info: { kind, name },
    names,
    builtIn,
    gate: compiler.gate(host),
    // What a handler demands of clients is for its calls, and so are the places it has.
    limits: compileLimits(host, name, {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(maxConcurrent !== undefined && { maxConcurrent }),
    }),
    prepare: (args) => args,
  };
}

function declaredFor(host: HandlerHost, argument: string): BuiltInCompletion | undefined {
  const param = host.params.find(
    ({ paramtype, name, options }) =>
      paramtype === McpParamtype.Arg && name === argument && options.complete !== undefined,
  );
  return param && declared(host, param);
}

function declared(host: HandlerHost, { name, options }: HandlerParam): BuiltInCompletion {
  const { complete } = options;
  if (typeof complete === 'function') {
    return {
      declared: true,
      complete: ({ value, arguments: others, exchange }) => complete(value, others, exchange),
    };
  }
  const values: unknown = complete;
  if (!Array.isArray(values) || values.length === 0 || values.some((v) => typeof v !== 'string')) {
    throw definitionError(
      host,
      `the complete option of @McpArg(${JSON.stringify(name)}) has nothing to show`,
      'Give a list of strings, or a function (value, args, exchange) => suggestions',
    );
  }
  return { declared: true, complete: matching(values as string[]) };
}

function enumerated(schema: JsonSchema, argument: string): BuiltInCompletion | undefined {
  const property = propertyOf(schema, argument);
  const values = property === undefined ? [] : enumeratedValues(property, schema);
  return values.length === 0 ? undefined : { declared: false, complete: matching(values) };
}

function matching(values: readonly string[]): BuiltInCompletion['complete'] {
  const matcher = new ValueMatcher(values);
  return ({ value }) => matcher.match(value);
}
