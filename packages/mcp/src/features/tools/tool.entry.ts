import { McpToolContext } from '../../context/index.js';
import { type McpToolOptions, TOOL_OPTIONS } from '../../decorators/index.js';
import type { HandlerHost, ToolHandler } from '../../discovery/index.js';
import type { Tool } from '../../protocol/index.js';
import {
  type CompiledSchema,
  emptySchema,
  type HeaderParam,
  headerParams,
  type JsonSchema,
} from '../../schema/index.js';
import {
  checkArgNames,
  compileHandlerSchema,
  compileInput,
  declaredInput,
  definitionError,
  hasArgs,
  prepareArguments,
} from '../argument-schema.js';
import { compileMediaType } from '../content/handler-media-type.js';
import type { MediaType } from '../content/media-type.js';
import type { CompiledHandler, HandlerCompiler } from '../handler-compiler.js';
import { checkMetadata } from '../handler-metadata.js';
import { checkOptionNames } from '../handler-options.js';
import type { Listed } from '../lists/handler-list.js';
import { unknownArguments } from '../unknown-arguments.js';
import type { ToolExtension } from './tool-extension.js';

/** A tool ready to be listed and called. */
export interface ToolEntry extends CompiledHandler, Listed<Tool> {
  readonly output: CompiledSchema | undefined;
  /** Of the bytes it returns, as declared. */
  readonly media: MediaType | undefined;
  /** Arguments that clients mirror in headers. */
  readonly headerParams: readonly HeaderParam[];
  /** What an extension makes of it; most tools have none. */
  readonly extension?: ToolExtension | undefined;
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** @throws HandlerDefinitionException when the tool cannot be served as declared */
export function compileTool({ host, options }: ToolHandler, compiler: HandlerCompiler): ToolEntry {
  checkOptionNames(host, 'McpTool', 'tools', options, TOOL_OPTIONS);
  const name = options.name ?? host.methodName;
  if (!NAME.test(name)) {
    throw definitionError(
      host,
      `the tool name ${JSON.stringify(name)} is not usable`,
      'Use 1 to 128 letters, digits, "_", "-" or "."',
    );
  }
  if (options.output !== undefined && options.mimeType !== undefined) {
    throw definitionError(
      host,
      'it has a mimeType, which is for bytes, and an output, with which it cannot return any',
      'Leave one of them out',
    );
  }
  const { icons, meta, annotations: hints } = options;
  checkMetadata(host, { icons, meta, hints });
  const input = inputOf(host, options);
  const output =
    options.output === undefined ? undefined : compileHandlerSchema(host, options.output, 'output');
  return {
    descriptor: describe(name, options, input.json, output?.json),
    output,
    media: compileMediaType(host, options.mimeType),
    headerParams: compileHeaderParams(host, input.json),
    ...compiler.compile(host, { kind: 'tool', name }, options),
    prepare: (args) => prepareArguments(name, input, args),
    contextFor: (target, exchange, round) => new McpToolContext(target, exchange, round),
  };
}

function inputOf(host: HandlerHost, options: McpToolOptions): CompiledSchema {
  const source = declaredInput(host, options.input);
  if (source === undefined && hasArgs(host)) {
    throw unknownArguments(host, 'give @McpTool({ input })');
  }
  const input = source === undefined ? emptySchema() : compileInput(host, source);
  checkArgNames(host, input.json, 'the input schema');
  return input;
}

function compileHeaderParams(host: HandlerHost, schema: JsonSchema): readonly HeaderParam[] {
  try {
    return headerParams(schema);
  } catch (error) {
    throw definitionError(
      host,
      `its headers cannot be mirrored: ${(error as Error).message}`,
      'Correct @McpHeader() or "x-mcp-header"; clients would leave the tool out of their lists',
    );
  }
}

function describe(
  name: string,
  options: McpToolOptions,
  inputSchema: JsonSchema,
  outputSchema: JsonSchema | undefined,
): Tool {
  const { title, description, annotations, icons, meta } = options;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: meta }),
  };
}
