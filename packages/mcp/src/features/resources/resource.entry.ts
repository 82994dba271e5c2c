import { McpResourceContext } from '../../context/index.js';
import {
  FIXED_RESOURCE_OPTIONS,
  type McpFixedResourceOptions,
  McpParamtype,
  type McpResourceOptions,
  type McpResourceTemplateOptions,
  TEMPLATE_OPTIONS,
} from '../../decorators/index.js';
import type { HandlerHost, ResourceHandler } from '../../discovery/index.js';
import type { McpHandlerInfo } from '../../exchange/index.js';
import type { CacheScope, Resource, ResourceTemplate } from '../../protocol/index.js';
import type { JsonSchema, SchemaSource } from '../../schema/index.js';
import {
  argsDto,
  checkArgNames,
  compileInput,
  convertStrings,
  definitionError,
  hasArgs,
  prepareArguments,
  refuseHeaders,
  schemaOfParams,
} from '../argument-schema.js';
import type { HandlerGate } from '../../pipeline/index.js';
import {
  type Completable,
  compileArgumentCompletions,
} from '../completions/argument-completions.js';
import { compileMediaType } from '../content/handler-media-type.js';
import type { MediaType } from '../content/media-type.js';
import type { CompiledHandler, HandlerCompiler } from '../handler-compiler.js';
import { checkMetadata } from '../handler-metadata.js';
import { checkOptionNames } from '../handler-options.js';
import type { Listed } from '../lists/handler-list.js';
import { undecoratedArgs, unknownArguments } from '../unknown-arguments.js';
import { UriTemplate } from './uri-template.js';

interface ReadableEntry extends CompiledHandler {
  /** As declared. */
  readonly media: MediaType | undefined;
  /** The guards, for what is told of the resource without a read. */
  readonly gate: HandlerGate;
  readonly cache: { readonly ttlMs: number; readonly scope: CacheScope };
}

/** A resource with one uri. */
export interface FixedResourceEntry extends ReadableEntry, Listed<Resource> {
  readonly kind: 'resource';
}

/** A family of resources. */
export interface ResourceTemplateEntry
  extends ReadableEntry, Completable, Listed<ResourceTemplate> {
  readonly kind: 'resource template';
  readonly template: UriTemplate;
}

export type ResourceEntry = FixedResourceEntry | ResourceTemplateEntry;

const NOT_CACHED = { ttlMs: 0, scope: 'private' } as const;

/** @throws HandlerDefinitionException when the resource cannot be served as declared */
export function compileResource(
  { host, options }: ResourceHandler,
  compiler: HandlerCompiler,
): ResourceEntry {
  const { uri, uriTemplate } = options as { uri?: string; uriTemplate?: string };
  if (uri !== undefined && uriTemplate !== undefined) {
    throw definitionError(host, 'it has both a uri and a uriTemplate', 'Leave one of them out');
  }
  const { icons, meta, annotations } = options;
  checkMetadata(host, { icons, meta, annotations });
  return options.uriTemplate === undefined
    ? compileFixed(host, options, compiler)
    : compileTemplate(host, options, compiler);
}

function compileFixed(
  host: HandlerHost,
  options: McpFixedResourceOptions,
  compiler: HandlerCompiler,
): FixedResourceEntry {
  checkOptionNames(host, 'McpResource', 'resources with one uri', options, FIXED_RESOURCE_OPTIONS);
  const { uri, size } = options;
  checkMetadata(host, { size });
  if (!URL.canParse(uri)) {
    throw definitionError(
      host,
      `${JSON.stringify(uri)} is not an absolute URI`,
      'Give it a scheme, such as "docs://readme"',
    );
  }
  if (host.params.some(({ paramtype }) => paramtype === McpParamtype.Arg) || hasArgs(host)) {
    throw definitionError(
      host,
      'a resource with one uri has no arguments',
      'Leave out @McpArg() and @McpArgs(), or declare a uriTemplate',
    );
  }
  return {
    ...common(host, { kind: 'resource', name: uri }, options, compiler),
    kind: 'resource',
    descriptor: { uri, ...describe(host, options), ...(size !== undefined && { size }) },
    prepare: (args) => args,
  };
}

function compileTemplate(
  host: HandlerHost,
  options: McpResourceTemplateOptions,
  compiler: HandlerCompiler,
): ResourceTemplateEntry {
  checkOptionNames(host, 'McpResource', 'resource templates', options, TEMPLATE_OPTIONS);
  const { uriTemplate } = options;
  const template = parse(host, uriTemplate);
  const input = compileInput(host, inputOf(host, template));
  checkArgNames(host, variablesSchema(template), 'the uri template');
  refuseHeaders(host, input.json);
  const info = { kind: 'resource template', name: uriTemplate } as const;
  return {
    ...common(host, info, options, compiler),
    kind: 'resource template',
    completions: compileArgumentCompletions(
      host,
      info,
      template.names,
      input.json,
      options,
      compiler,
    ),
    descriptor: { uriTemplate, ...describe(host, options) },
    template,
    prepare: (args) => prepareArguments(uriTemplate, input, convertStrings(input.json, args)),
  };
}

function common(
  host: HandlerHost,
  info: McpHandlerInfo,
  options: McpResourceOptions,
  compiler: HandlerCompiler,
): Omit<ReadableEntry, 'prepare'> {
  return {
    ...compiler.compile(host, info, options),
    media: compileMediaType(host, options.mimeType),
    gate: compiler.gate(host),
    cache: options.cache ?? NOT_CACHED,
    contextFor: (target, exchange, round) => new McpResourceContext(target, exchange, round),
  };
}

function parse(host: HandlerHost, uriTemplate: string): UriTemplate {
  try {
    return UriTemplate.parse(uriTemplate);
  } catch (error) {
    throw definitionError(
      host,
      `the uri template ${JSON.stringify(uriTemplate)} cannot be used: ${(error as Error).message}`,
      'Write it as in RFC 6570, for example "docs://pages/{slug}{?lang}"',
    );
  }
}

/**
 * The DTO of `@McpArgs()`, or the variables: typed by their `@McpArg()` parameters, else text.
 * @throws HandlerDefinitionException for a class that would only look like one
 */
function inputOf(host: HandlerHost, template: UriTemplate): SchemaSource {
  const dto = argsDto(host);
  if (dto !== undefined) return dto;
  if (undecoratedArgs(host) !== undefined) {
    throw unknownArguments(host, 'type the parameter Record<string, string>');
  }
  const declared = schemaOfParams(host).properties ?? {};
  const { properties } = variablesSchema(template);
  return { type: 'object', properties: { ...properties, ...declared } };
}

function variablesSchema(template: UriTemplate): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(template.names.map((name) => [name, { type: 'string' }])),
  };
}

function describe(
  host: HandlerHost,
  options: McpResourceOptions,
): Omit<Resource, 'uri'> & Omit<ResourceTemplate, 'uriTemplate'> {
  const { title, description, mimeType, icons, annotations, meta } = options;
  return {
    name: options.name ?? host.methodName,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(icons !== undefined && { icons }),
    ...(annotations !== undefined && { annotations }),
    ...(meta !== undefined && { _meta: meta }),
  };
}
