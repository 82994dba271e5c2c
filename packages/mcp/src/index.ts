/** The promised API of @dacapo/mcp. Whatever is not named here may change at any time. */
export {
  type McpChange,
  McpChangeBus,
  type McpChangedThing,
  McpNotifier,
} from './changes/index.js';
export {
  type ElicitAnswer,
  McpCompletionContext,
  McpClientLog,
  McpElicitor,
  McpProgressSource,
  McpPromptContext,
  McpResourceContext,
  McpToolContext,
  MrtrContext,
} from './context/index.js';
export type { AskOptions } from './context/index.js';
export type { AbsoluteProgress, CountingProgress, PercentageProgress } from './context/index.js';
export {
  McpArg,
  type McpArgOptions,
  McpArgs,
  type McpCompleter,
  McpCompletion,
  type McpCompletionOptions,
  type McpCompletions,
  type McpCompletionsLike,
  McpContext,
  McpElicit,
  type McpFixedResourceOptions,
  McpHandler,
  McpHeader,
  McpPrincipal,
  McpPrompt,
  type McpPromptCompletionOptions,
  type McpPromptOptions,
  McpProperty,
  McpResource,
  type McpResourceCompletionOptions,
  type McpResourceOptions,
  type McpResourceTemplateOptions,
  McpServer,
  McpSignal,
  McpTool,
  type McpToolOptions,
  McpValue,
  type ParamPipe,
} from './decorators/index.js';
export {
  type ArgumentProblem,
  CallCancelledException,
  HandlerBusyException,
  HandlerDefinitionException,
  HandlerTimeoutException,
  InvalidArgumentsException,
  InvalidAskException,
  InvalidFormException,
  InvalidOptionsException,
  InvalidParamsException,
  InvalidProgressException,
  InvalidSecretException,
  LedgerMismatchException,
  type LedgerQuestion,
  McpException,
  McpToolException,
  type McpToolExceptionOptions,
  MissingClientCapabilityException,
  OutsideHandlerException,
  type RejectionReason,
  RequestStateRejectedException,
  ResultTooLargeException,
  StateTooLargeException,
  TooManySubscriptionsException,
} from './exceptions/index.js';
export {
  type ClientFeature,
  McpClient,
  McpExchange,
  type HandlerKind,
  type McpHandlerInfo,
  type McpHeaders,
  type McpTransport,
  McpVisibility,
  type VisibleOption,
} from './exchange/index.js';
export { McpRegistry, type MethodName } from './features/registry/index.js';
export { McpModule } from './mcp.module.js';
export { MCP_CLOCK } from './mcp.providers.js';
export {
  getMcpNotifierToken,
  getMcpRegistryToken,
  InjectMcpNotifier,
  InjectMcpRegistry,
} from './mcp.tokens.js';
export type {
  McpHttpOptions,
  McpListOptions,
  McpModuleExtras,
  McpModuleOptions,
  McpPrincipalSourceProvider,
  McpReplayOptions,
  McpSeamProvider,
  McpServerOptions,
  McpStdioOptions,
  McpSubscriptionOptions,
} from './options/index.js';
export {
  exchangeOf,
  type McpContextType,
  McpExecutionContext,
  McpFile,
  type McpFileOptions,
  type McpProgress,
} from './pipeline/index.js';
export type * from './protocol/index.js';
export { ErrorCode, McpMethod, PROTOCOL_VERSION } from './protocol/index.js';
export { type AnswerPolicy, isSuspension, McpPrincipalSource } from './replay/index.js';
export type {
  Choice,
  FormBuilder,
  FormWriter,
  JsonSchema,
  SchemaSource,
  StandardSchema,
} from './schema/index.js';
export {
  type EntryModule,
  McpStdio,
  type McpStdioConnection,
  McpStdioLogger,
  type McpStdioServeOptions,
  type McpStdioStreams,
} from './transports/stdio/index.js';
