/** The promised API of @dacapo/mcp. Whatever is not named here may change at any time. */
export {
  type McpChange,
  McpChangeBus,
  type McpChangedThing,
  McpNotifier,
} from './changes/index.js';
export {
  type ElicitAnswer,
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
  McpContext,
  McpElicit,
  type McpFixedResourceOptions,
  McpHandler,
  McpHeader,
  McpPrincipal,
  McpPrompt,
  type McpPromptOptions,
  McpProperty,
  McpResource,
  type McpResourceOptions,
  type McpResourceTemplateOptions,
  McpServer,
  McpSignal,
  McpTool,
  type McpToolOptions,
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
  McpSubscriptionOptions,
} from './options/index.js';
export { exchangeOf, type McpContextType, McpExecutionContext } from './pipeline/index.js';
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
