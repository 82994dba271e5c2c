/** `ExecutionContext.getType()` of every call that comes over MCP. */
export const MCP_CONTEXT_TYPE = 'mcp';

/** Where the pipeline puts what it carries, for `ExecutionContext.getArgByIndex()`. */
export const McpArgIndex = { Arguments: 0, Exchange: 1, Call: 2 } as const;

/** The names of this machine, as `URL.hostname` gives them. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** What Node's timers can wait for, in milliseconds; with more they would not wait at all. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The name of a server that was given none. */
export const DEFAULT_SERVER = 'default';

/** The servers that the handlers of a module belong to; provided by `McpModule.forFeature()`. */
export const MCP_FEATURE_SERVERS = Symbol('dacapo:feature-servers');

/** Metadata keys of the method decorators. */
export const MCP_TOOL_METADATA = 'dacapo:tool';
export const MCP_PROMPT_METADATA = 'dacapo:prompt';
export const MCP_RESOURCE_METADATA = 'dacapo:resource';
/** A list: a method may complete several arguments. */
export const MCP_COMPLETION_METADATA = 'dacapo:completion';
export const MCP_HANDLER_METADATA = 'dacapo:handler';
/** What decorators of extensions say of a tool; a list. */
export const MCP_TOOL_EXTENSIONS_METADATA = 'dacapo:tool-extensions';
/** The servers that the handlers of a class belong to. */
export const MCP_SERVER_METADATA = 'dacapo:server';
/** Headers of a DTO's properties, on its prototype. */
export const MCP_HEADERS_METADATA = 'dacapo:headers';
/** Options of `@McpArg()` by parameter index. */
export const MCP_ARG_METADATA = 'dacapo:arg';

/**
 * Nest's own keys, which it does not export for use outside its packages; a spec compares them.
 * Parameters must be stored under Nest's key, or the user's `createParamDecorator` parameters would
 * arrive `undefined`. A class without the watermark would lose its request-scoped global guards.
 */
export const ROUTE_ARGS_METADATA = '__routeArguments__';
export const ENTRY_PROVIDER_WATERMARK = '__entryProvider__';
export const INTERCEPTORS_METADATA = '__interceptors__';
export const EXCEPTION_FILTERS_METADATA = '__exceptionFilters__';
export const GUARDS_METADATA = '__guards__';
export const PIPES_METADATA = '__pipes__';
export const PARAMTYPES_METADATA = 'design:paramtypes';

/** Everything Nest may run around a handler. */
export const ENHANCER_METADATA: readonly string[] = [
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  EXCEPTION_FILTERS_METADATA,
];
