import type { INestApplicationContext } from '@nestjs/common';
import {
  type CallToolResult,
  type ClientCapabilities,
  type CompleteRequestParams,
  type CompleteResult,
  type DiscoverResult,
  type GetPromptResult,
  type Implementation,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  type LogLevel,
  MCP_CLOCK,
  McpInProcess,
  type McpInProcessOptions,
  McpMethod,
  type PaginatedResult,
  type Prompt,
  type ReadResourceResult,
  type RequestState,
  type Resource,
  type ResourceTemplate,
  type Result,
  type SubscriptionFilter,
  type Tool,
} from '@dacapo/mcp';
import type { Answers } from './answers.js';
import { TestConnection, type TestRequestOptions } from './test-connection.js';
import { type TestCall, TestConversation } from './test-conversation.js';
import { TestSubscription } from './test-subscription.js';
import { ToolCall } from './tool-call.js';

/** Who the client is. */
export interface McpTestClientOptions extends McpInProcessOptions {
  /** What the client can do; everything by default. */
  readonly capabilities?: ClientCapabilities;
  readonly clientInfo?: Implementation;
  /** Asks for log messages at this level and above. */
  readonly logLevel?: LogLevel;
}

/** How a call is made. */
export interface TestCallOptions {
  /** Takes the call back when it aborts. */
  readonly signal?: AbortSignal;
}

/** A tool with types for what it takes and returns. */
export type TypedTool<Args extends object, Output> = (
  args: Args,
  answers?: Answers,
  options?: TestCallOptions,
) => Promise<ToolCall<Output>>;

const EVERYTHING: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { context: {}, tools: {} },
  roots: {},
};

/**
 * A client of an application in the same process: no socket, no port, and everything else as with any
 * other client, from guards to the sealed token.
 *
 * A call that asks is answered by a script; a script that does not fit fails the test.
 */
export class McpTestClient {
  private readonly connection: TestConnection;

  private constructor(
    private readonly app: INestApplicationContext,
    private readonly options: McpTestClientOptions,
  ) {
    const { capabilities = EVERYTHING, clientInfo, logLevel, ...origin } = options;
    this.connection = new TestConnection(McpInProcess.connect(app, origin), {
      info: clientInfo ?? { name: 'test', version: '1.0.0' },
      capabilities,
      logLevel,
    });
  }

  /**
   * @param app initialised (`await app.init()`), with or without an HTTP server
   * @throws InvalidOptionsException when it has no such server
   */
  static connect(app: INestApplicationContext, options: McpTestClientOptions = {}): McpTestClient {
    return new McpTestClient(app, options);
  }

  /** The same client, but for these options: as another caller, say, or with fewer capabilities. */
  with(options: McpTestClientOptions): McpTestClient {
    return new McpTestClient(this.app, { ...this.options, ...options });
  }

  /**
   * Calls a tool and answers what it asks.
   * @throws UnansweredQuestionException | UnusedAnswersException | CallBecameTaskException |
   * McpCallFailedException
   */
  async callTool<Output = unknown>(
    name: string,
    args: object = {},
    answers: Answers = {},
    options: TestCallOptions = {},
  ): Promise<ToolCall<Output>> {
    const conversation = await this.startTool(name, args, options);
    return new ToolCall<Output>(await conversation.answerAll(answers));
  }

  /** A function that calls a tool: `const transfer = client.tool<TransferArgs, Receipt>('transfer')`. */
  tool<Args extends object, Output = unknown>(name: string): TypedTool<Args, Output> {
    return (args, answers, options) => this.callTool<Output>(name, args, answers, options);
  }

  /** Gets a prompt and answers what it asks. @throws like `callTool` */
  async getPrompt(
    name: string,
    args: { readonly [name: string]: string } = {},
    answers: Answers = {},
    options: TestCallOptions = {},
  ): Promise<GetPromptResult> {
    const conversation = await this.startPrompt(name, args, options);
    return (await conversation.answerAll(answers)).result;
  }

  /** Reads a resource and answers what it asks. @throws like `callTool` */
  async readResource(
    uri: string,
    answers: Answers = {},
    options: TestCallOptions = {},
  ): Promise<ReadResourceResult> {
    const conversation = await this.startResource(uri, options);
    return (await conversation.answerAll(answers)).result;
  }

  /** Plays the first round of a tool call. @throws McpCallFailedException */
  startTool(
    name: string,
    args: object = {},
    options: TestCallOptions = {},
  ): Promise<TestConversation<CallToolResult>> {
    return this.start({ method: McpMethod.ToolsCall, params: { name, arguments: args } }, options);
  }

  /** Plays the first round of getting a prompt. @throws McpCallFailedException */
  startPrompt(
    name: string,
    args: { readonly [name: string]: string } = {},
    options: TestCallOptions = {},
  ): Promise<TestConversation<GetPromptResult>> {
    return this.start({ method: McpMethod.PromptsGet, params: { name, arguments: args } }, options);
  }

  /** Plays the first round of reading a resource. @throws McpCallFailedException */
  startResource(
    uri: string,
    options: TestCallOptions = {},
  ): Promise<TestConversation<ReadResourceResult>> {
    return this.start({ method: McpMethod.ResourcesRead, params: { uri } }, options);
  }

  /** What the server says of itself. */
  discover(): Promise<DiscoverResult> {
    return this.request(McpMethod.Discover);
  }

  /** Every page of the tools. */
  listTools(): Promise<Tool[]> {
    return this.pages<ListToolsResult, Tool>(McpMethod.ToolsList, ({ tools }) => tools);
  }

  /** Every page of the prompts. */
  listPrompts(): Promise<Prompt[]> {
    return this.pages<ListPromptsResult, Prompt>(McpMethod.PromptsList, ({ prompts }) => prompts);
  }

  /** Every page of the resources. */
  listResources(): Promise<Resource[]> {
    return this.pages<ListResourcesResult, Resource>(
      McpMethod.ResourcesList,
      ({ resources }) => resources,
    );
  }

  /** Every page of the resource templates. */
  listResourceTemplates(): Promise<ResourceTemplate[]> {
    return this.pages<ListResourceTemplatesResult, ResourceTemplate>(
      McpMethod.ResourceTemplatesList,
      ({ resourceTemplates }) => resourceTemplates,
    );
  }

  /** What completes an argument. */
  async complete(params: CompleteRequestParams): Promise<CompleteResult['completion']> {
    const { completion } = await this.request<CompleteResult>(McpMethod.CompletionComplete, params);
    return completion;
  }

  /** Subscribes to changes. */
  listen(notifications: SubscriptionFilter): TestSubscription {
    return new TestSubscription(this.connection, notifications);
  }

  /**
   * Sends one request of any method.
   * @throws McpCallFailedException when the answer is an error
   */
  request<R = Result>(
    method: string,
    params: object = {},
    options: TestRequestOptions = {},
  ): Promise<R> {
    return this.connection.request<R>(method, params, options);
  }

  /**
   * Goes on with a conversation of which only the state is left, as if it had been issued now.
   * @internal
   */
  resume<R extends Result>(call: TestCall, state: RequestState): TestConversation<R> {
    const nowMs = this.app.get<() => number>(MCP_CLOCK, { strict: false })();
    const ageMs = state.issuedAt - state.startedAt;
    const token = this.connection.sealState({
      ...state,
      issuedAt: nowMs,
      startedAt: nowMs - ageMs,
    });
    return new TestConversation<R>(this.connection, call, { token });
  }

  /** @internal What a token holds. */
  openState(requestState: string): RequestState {
    return this.connection.openState(requestState);
  }

  /** Plays the first round of any call. @throws McpCallFailedException */
  start<R extends Result>(
    call: TestCall,
    { signal }: TestCallOptions = {},
  ): Promise<TestConversation<R>> {
    return new TestConversation<R>(this.connection, call, { signal }).begin();
  }

  private async pages<R extends PaginatedResult, T>(
    method: string,
    items: (page: R) => readonly T[],
  ): Promise<T[]> {
    const all: T[] = [];
    let cursor: string | undefined;
    do {
      const page: R = await this.request<R>(method, cursor === undefined ? {} : { cursor });
      all.push(...items(page));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return all;
  }
}
