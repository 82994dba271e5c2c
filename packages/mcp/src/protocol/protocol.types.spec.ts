import type * as Sdk from '@modelcontextprotocol/server';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isSpecType,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server';
import type * as Ours from './index.js';
import { ErrorCode, MetaKey } from './index.js';

/*
 * The compiler is the test: a member that the official types do not have, or that they spell
 * differently, makes one of the tables below an error. The values at the end hold what travels
 * against the official runtime schemas.
 */

/** Compiles only when `Given` can stand where `Expected` is wanted. */
type Fits<Given extends Expected, Expected> = Given;

/**
 * A type as it travels: writable, and an object type of its own. An interface has no implicit index
 * signature and JSON is read-only here, which is all that this takes away.
 */
type Wire<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]: Wire<T[K]> }
      : T;

/** The official result types leave out what every result carries on the wire. */
type Complete<T> = T & { resultType: string };
type Cacheable<T> = Complete<T> & { ttlMs: number; cacheScope: 'public' | 'private' };

/** A list of choices is one interface with two kinds of items here, and two interfaces there. */
type MultiSelect<Items> = Omit<Ours.MultiSelectSchema, 'items'> & {
  items: Extract<Ours.MultiSelectSchema['items'], Items>;
};
type Primitive =
  | Exclude<Ours.PrimitiveSchema, Ours.MultiSelectSchema>
  | MultiSelect<{ enum: string[] }>
  | MultiSelect<{ anyOf: Ours.TitledValue[] }>;
type FormParams = Omit<Ours.ElicitRequestFormParams, 'requestedSchema'> & {
  requestedSchema: Omit<Ours.RequestedSchema, 'properties'> & {
    properties: Record<string, Primitive>;
  };
};
type ElicitRequest = Omit<Ours.ElicitRequest, 'params'> & { params: FormParams };
type InputRequired = Omit<Ours.InputRequiredResult, 'inputRequests'> & {
  inputRequests: Record<string, ElicitRequest>;
};

/** What this server sends is what the official types describe. */
export interface SentFitsTheirs {
  tool: Fits<Ours.Tool, Sdk.Tool>;
  toolAnnotations: Fits<Ours.ToolAnnotations, Sdk.ToolAnnotations>;
  prompt: Fits<Ours.Prompt, Sdk.Prompt>;
  promptArgument: Fits<Ours.PromptArgument, Sdk.PromptArgument>;
  promptMessage: Fits<Ours.PromptMessage, Sdk.PromptMessage>;
  resource: Fits<Ours.Resource, Sdk.Resource>;
  resourceTemplate: Fits<Ours.ResourceTemplate, Sdk.ResourceTemplateType>;
  text: Fits<Ours.TextContent, Sdk.TextContent>;
  image: Fits<Ours.ImageContent, Sdk.ImageContent>;
  audio: Fits<Ours.AudioContent, Sdk.AudioContent>;
  link: Fits<Ours.ResourceLink, Sdk.ResourceLink>;
  embedded: Fits<Ours.EmbeddedResource, Sdk.EmbeddedResource>;
  block: Fits<Ours.ContentBlock, Sdk.ContentBlock>;
  textContents: Fits<Ours.TextResourceContents, Sdk.TextResourceContents>;
  blobContents: Fits<Ours.BlobResourceContents, Sdk.BlobResourceContents>;
  annotations: Fits<Ours.Annotations, Sdk.Annotations>;
  icon: Fits<Ours.Icon, Sdk.Icon>;
  implementation: Fits<Ours.Implementation, Sdk.Implementation>;
  serverCapabilities: Fits<Wire<Ours.ServerCapabilities>, Sdk.ServerCapabilities>;
  callTool: Fits<Wire<Ours.CallToolResult>, Sdk.CallToolResult>;
  getPrompt: Fits<Wire<Ours.GetPromptResult>, Sdk.GetPromptResult>;
  complete: Fits<Wire<Ours.CompleteResult>, Sdk.CompleteResult>;
  readResource: Fits<Wire<Ours.ReadResourceResult>, Sdk.ReadResourceResult>;
  listTools: Fits<Wire<Ours.ListToolsResult>, Sdk.ListToolsResult>;
  listPrompts: Fits<Wire<Ours.ListPromptsResult>, Sdk.ListPromptsResult>;
  listResources: Fits<Wire<Ours.ListResourcesResult>, Sdk.ListResourcesResult>;
  listTemplates: Fits<Wire<Ours.ListResourceTemplatesResult>, Sdk.ListResourceTemplatesResult>;
  discover: Fits<Wire<Ours.DiscoverResult>, Sdk.DiscoverResult>;
  inputRequired: Fits<Wire<InputRequired>, Sdk.InputRequiredResult>;
  elicitRequest: Fits<Wire<ElicitRequest>, Sdk.ElicitRequest>;
  formParams: Fits<Wire<FormParams>, Sdk.ElicitRequestFormParams>;
  primitive: Fits<Primitive, Sdk.PrimitiveSchemaDefinition>;
  string: Fits<Ours.StringSchema, Sdk.StringSchema>;
  number: Fits<Ours.NumberSchema, Sdk.NumberSchema>;
  boolean: Fits<Ours.BooleanSchema, Sdk.BooleanSchema>;
  untitledChoice: Fits<Ours.UntitledSingleSelectSchema, Sdk.UntitledSingleSelectEnumSchema>;
  titledChoice: Fits<Ours.TitledSingleSelectSchema, Sdk.TitledSingleSelectEnumSchema>;
  untitledChoices: Fits<MultiSelect<{ enum: string[] }>, Sdk.UntitledMultiSelectEnumSchema>;
  titledChoices: Fits<MultiSelect<{ anyOf: Ours.TitledValue[] }>, Sdk.TitledMultiSelectEnumSchema>;
  progress: Fits<Ours.ProgressNotificationParams, Sdk.ProgressNotificationParams>;
  logMessage: Fits<Ours.LoggingMessageNotificationParams, Sdk.LoggingMessageNotificationParams>;
  notification: Fits<Wire<Ours.JsonRpcNotification>, Sdk.JSONRPCNotification>;
  error: Fits<Wire<Ours.JsonRpcErrorResponse>, Sdk.JSONRPCErrorResponse>;
}

/** What clients send, and what their servers' authors write, is what these types describe. */
export interface TheirsFitsOurs {
  tool: Fits<Sdk.Tool, Ours.Tool>;
  toolAnnotations: Fits<Sdk.ToolAnnotations, Ours.ToolAnnotations>;
  prompt: Fits<Sdk.Prompt, Ours.Prompt>;
  promptArgument: Fits<Sdk.PromptArgument, Ours.PromptArgument>;
  promptMessage: Fits<Sdk.PromptMessage, Ours.PromptMessage>;
  resource: Fits<Sdk.Resource, Ours.Resource>;
  resourceTemplate: Fits<Sdk.ResourceTemplateType, Ours.ResourceTemplate>;
  text: Fits<Sdk.TextContent, Ours.TextContent>;
  image: Fits<Sdk.ImageContent, Ours.ImageContent>;
  audio: Fits<Sdk.AudioContent, Ours.AudioContent>;
  link: Fits<Sdk.ResourceLink, Ours.ResourceLink>;
  embedded: Fits<Sdk.EmbeddedResource, Ours.EmbeddedResource>;
  block: Fits<Sdk.ContentBlock, Ours.ContentBlock>;
  textContents: Fits<Sdk.TextResourceContents, Ours.TextResourceContents>;
  blobContents: Fits<Sdk.BlobResourceContents, Ours.BlobResourceContents>;
  annotations: Fits<Sdk.Annotations, Ours.Annotations>;
  icon: Fits<Sdk.Icon, Ours.Icon>;
  implementation: Fits<Sdk.Implementation, Ours.Implementation>;
  clientCapabilities: Fits<Sdk.ClientCapabilities, Ours.ClientCapabilities>;
  serverCapabilities: Fits<Sdk.ServerCapabilities, Ours.ServerCapabilities>;
  callTool: Fits<Complete<Sdk.CallToolResult>, Ours.CallToolResult>;
  getPrompt: Fits<Complete<Sdk.GetPromptResult>, Ours.GetPromptResult>;
  complete: Fits<Complete<Sdk.CompleteResult>, Ours.CompleteResult>;
  completeParams: Fits<Sdk.CompleteRequestParams, Ours.CompleteRequestParams>;
  promptReference: Fits<Sdk.PromptReference, Ours.PromptReference>;
  templateReference: Fits<Sdk.ResourceTemplateReference, Ours.ResourceTemplateReference>;
  readResource: Fits<Cacheable<Sdk.ReadResourceResult>, Ours.ReadResourceResult>;
  listTools: Fits<Cacheable<Sdk.ListToolsResult>, Ours.ListToolsResult>;
  listPrompts: Fits<Cacheable<Sdk.ListPromptsResult>, Ours.ListPromptsResult>;
  listResources: Fits<Cacheable<Sdk.ListResourcesResult>, Ours.ListResourcesResult>;
  listTemplates: Fits<Cacheable<Sdk.ListResourceTemplatesResult>, Ours.ListResourceTemplatesResult>;
  discover: Fits<Cacheable<Sdk.DiscoverResult>, Ours.DiscoverResult>;
  elicitResult: Fits<Sdk.ElicitResult, Ours.ElicitResult>;
  formParams: Fits<Sdk.ElicitRequestFormParams, Ours.ElicitRequestFormParams>;
  untitledChoices: Fits<Sdk.UntitledMultiSelectEnumSchema, Ours.MultiSelectSchema>;
  titledChoices: Fits<Sdk.TitledMultiSelectEnumSchema, Ours.MultiSelectSchema>;
  request: Fits<Sdk.JSONRPCRequest, Ours.JsonRpcRequest>;
  json: Fits<Sdk.JSONValue, Ours.JsonValue>;
}

/** The other way round for the ones that only clients write. */
export interface WrittenByClients {
  clientCapabilities: Fits<Wire<Ours.ClientCapabilities>, Sdk.ClientCapabilities>;
  elicitResult: Fits<Wire<Ours.ElicitResult>, Sdk.ElicitResult>;
  meta: Fits<Wire<Ours.RequestMeta>, Sdk.RequestMeta>;
  complete: Fits<Wire<Ours.CompleteRequestParams>, Sdk.CompleteRequestParams>;
}

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Expect<T extends true> = T;

/** The members a type names, whatever else it lets pass. */
type Named<T> = T extends unknown
  ? keyof { [K in keyof T as string extends K ? never : K]: T[K] }
  : never;

/** The members only one of two types names: a misspelt optional member fits, but shows here. */
type Apart<A, B> = Exclude<Named<A>, Named<B>> | Exclude<Named<B>, Named<A>>;

/** Both name the same members, except for what one side alone has for a reason. */
export interface SameMembers {
  /** `execution` belongs to the tasks of an earlier revision. */
  tool: Expect<Equal<Apart<Ours.Tool, Sdk.Tool>, 'execution'>>;
  toolAnnotations: Expect<Equal<Apart<Ours.ToolAnnotations, Sdk.ToolAnnotations>, never>>;
  prompt: Expect<Equal<Apart<Ours.Prompt, Sdk.Prompt>, never>>;
  /** The schema of the revision has a `title`; the official package does not know it yet. */
  promptArgument: Expect<Equal<Apart<Ours.PromptArgument, Sdk.PromptArgument>, 'title'>>;
  promptMessage: Expect<Equal<Apart<Ours.PromptMessage, Sdk.PromptMessage>, never>>;
  resource: Expect<Equal<Apart<Ours.Resource, Sdk.Resource>, never>>;
  resourceTemplate: Expect<Equal<Apart<Ours.ResourceTemplate, Sdk.ResourceTemplateType>, never>>;
  text: Expect<Equal<Apart<Ours.TextContent, Sdk.TextContent>, never>>;
  image: Expect<Equal<Apart<Ours.ImageContent, Sdk.ImageContent>, never>>;
  audio: Expect<Equal<Apart<Ours.AudioContent, Sdk.AudioContent>, never>>;
  link: Expect<Equal<Apart<Ours.ResourceLink, Sdk.ResourceLink>, never>>;
  embedded: Expect<Equal<Apart<Ours.EmbeddedResource, Sdk.EmbeddedResource>, never>>;
  textContents: Expect<Equal<Apart<Ours.TextResourceContents, Sdk.TextResourceContents>, never>>;
  blobContents: Expect<Equal<Apart<Ours.BlobResourceContents, Sdk.BlobResourceContents>, never>>;
  annotations: Expect<Equal<Apart<Ours.Annotations, Sdk.Annotations>, never>>;
  icon: Expect<Equal<Apart<Ours.Icon, Sdk.Icon>, never>>;
  implementation: Expect<Equal<Apart<Ours.Implementation, Sdk.Implementation>, never>>;
  /** `tasks` belongs to an earlier revision. */
  clientCapabilities: Expect<
    Equal<Apart<Ours.ClientCapabilities, Sdk.ClientCapabilities>, 'tasks'>
  >;
  serverCapabilities: Expect<
    Equal<Apart<Ours.ServerCapabilities, Sdk.ServerCapabilities>, 'tasks'>
  >;
  callTool: Expect<Equal<Apart<Ours.CallToolResult, Complete<Sdk.CallToolResult>>, never>>;
  getPrompt: Expect<Equal<Apart<Ours.GetPromptResult, Complete<Sdk.GetPromptResult>>, never>>;
  complete: Expect<Equal<Apart<Ours.CompleteResult, Complete<Sdk.CompleteResult>>, never>>;
  completion: Expect<
    Equal<Apart<Ours.CompleteResult['completion'], Sdk.CompleteResult['completion']>, never>
  >;
  completeParams: Expect<
    Equal<Apart<Ours.CompleteRequestParams, Sdk.CompleteRequestParams>, '_meta'>
  >;
  completedArgument: Expect<
    Equal<
      Apart<Ours.CompleteRequestParams['argument'], Sdk.CompleteRequestParams['argument']>,
      never
    >
  >;
  /** The schema of the revision has a `title`; the official package does not know it yet. */
  promptReference: Expect<Equal<Apart<Ours.PromptReference, Sdk.PromptReference>, 'title'>>;
  templateReference: Expect<
    Equal<Apart<Ours.ResourceTemplateReference, Sdk.ResourceTemplateReference>, never>
  >;
  readResource: Expect<
    Equal<Apart<Ours.ReadResourceResult, Cacheable<Sdk.ReadResourceResult>>, never>
  >;
  discover: Expect<Equal<Apart<Ours.DiscoverResult, Cacheable<Sdk.DiscoverResult>>, never>>;
  /** Members that only requests of earlier revisions have. */
  formParams: Expect<
    Equal<Apart<Ours.ElicitRequestFormParams, Sdk.ElicitRequestFormParams>, '_meta' | 'task'>
  >;
  /** Their type takes `$schema` as any other unknown keyword. */
  requestedSchema: Expect<
    Equal<Apart<Ours.RequestedSchema, Sdk.ElicitRequestFormParams['requestedSchema']>, '$schema'>
  >;
  string: Expect<Equal<Apart<Ours.StringSchema, Sdk.StringSchema>, never>>;
  number: Expect<Equal<Apart<Ours.NumberSchema, Sdk.NumberSchema>, never>>;
  boolean: Expect<Equal<Apart<Ours.BooleanSchema, Sdk.BooleanSchema>, never>>;
  choices: Expect<Equal<Apart<Ours.MultiSelectSchema, Sdk.MultiSelectEnumSchema>, never>>;
  elicitResult: Expect<Equal<Apart<Ours.ElicitResult, Sdk.ElicitResult>, '_meta'>>;
  progress: Expect<
    Equal<Apart<Ours.ProgressNotificationParams, Sdk.ProgressNotificationParams>, '_meta'>
  >;
  logMessage: Expect<
    Equal<
      Apart<Ours.LoggingMessageNotificationParams, Sdk.LoggingMessageNotificationParams>,
      '_meta'
    >
  >;
}

/** The small unions are the same, word for word. */
export interface SameWords {
  role: Expect<Equal<Ours.Role, Sdk.Role>>;
  requestId: Expect<Equal<Ours.RequestId, Sdk.RequestId>>;
  progressToken: Expect<Equal<Ours.ProgressToken, Sdk.ProgressToken>>;
  logLevel: Expect<Equal<Ours.LogLevel, Sdk.LoggingLevel>>;
  action: Expect<Equal<Ours.ElicitAction, Sdk.ElicitResult['action']>>;
  format: Expect<Equal<Ours.StringFormat, NonNullable<Sdk.StringSchema['format']>>>;
  theme: Expect<Equal<Ours.Icon['theme'], Sdk.Icon['theme']>>;
}

const ICON: Ours.Icon = {
  src: 'https://example.com/icon.svg',
  mimeType: 'image/svg+xml',
  sizes: ['any'],
  theme: 'dark',
};
const ANNOTATIONS: Ours.Annotations = {
  audience: ['user', 'assistant'],
  priority: 0.5,
  lastModified: '2026-07-28T12:00:00Z',
};
const META: Ours.MetaObject = { 'com.example/key': 1 };
const TEXT: Ours.TextContent = { type: 'text', text: 'x', annotations: ANNOTATIONS, _meta: META };
const CONTENTS: Ours.TextResourceContents = {
  uri: 'docs://a',
  mimeType: 'text/plain',
  text: 'x',
  _meta: META,
};

type Sample = [name: keyof typeof isSpecType, value: unknown];

const samples: Sample[] = [
  ['Icon', ICON],
  ['Annotations', ANNOTATIONS],
  [
    'Implementation',
    {
      name: 'bank',
      version: '1.0.0',
      title: 'Bank',
      description: 'A bank',
      icons: [ICON],
      websiteUrl: 'https://example.com',
    } satisfies Ours.Implementation,
  ],
  ['ContentBlock', TEXT],
  [
    'ContentBlock',
    { type: 'image', data: 'AA==', mimeType: 'image/png' } satisfies Ours.ContentBlock,
  ],
  [
    'ContentBlock',
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav' } satisfies Ours.ContentBlock,
  ],
  [
    'ContentBlock',
    {
      type: 'resource_link',
      uri: 'docs://a',
      name: 'a',
      title: 'A',
      description: 'The letter',
      mimeType: 'text/plain',
      icons: [ICON],
      size: 1,
      annotations: ANNOTATIONS,
      _meta: META,
    } satisfies Ours.ContentBlock,
  ],
  ['ContentBlock', { type: 'resource', resource: CONTENTS } satisfies Ours.ContentBlock],
  ['TextResourceContents', CONTENTS],
  ['BlobResourceContents', { uri: 'docs://a', blob: 'AA==' } satisfies Ours.BlobResourceContents],
  [
    'Tool',
    {
      name: 'open',
      title: 'Open',
      description: 'Opens',
      icons: [ICON],
      inputSchema: { type: 'object', additionalProperties: false },
      outputSchema: { type: 'object' },
      annotations: {
        title: 'Open',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: true,
      },
      _meta: META,
    } satisfies Ours.Tool,
  ],
  [
    'Prompt',
    {
      name: 'plan',
      title: 'Plan',
      description: 'Plans',
      icons: [ICON],
      arguments: [{ name: 'topic', title: 'Topic', description: 'What', required: true }],
      _meta: META,
    } satisfies Ours.Prompt,
  ],
  [
    'Resource',
    {
      uri: 'docs://a',
      name: 'a',
      title: 'A',
      description: 'The letter',
      mimeType: 'text/plain',
      icons: [ICON],
      annotations: ANNOTATIONS,
      size: 1,
      _meta: META,
    } satisfies Ours.Resource,
  ],
  [
    'ResourceTemplate',
    {
      uriTemplate: 'docs://{a}',
      name: 'a',
      annotations: ANNOTATIONS,
    } satisfies Ours.ResourceTemplate,
  ],
  [
    'CallToolResult',
    {
      resultType: 'complete',
      content: [TEXT],
      structuredContent: { a: 1 },
      isError: false,
      _meta: META,
    } satisfies Ours.CallToolResult,
  ],
  [
    'CompleteResult',
    {
      resultType: 'complete',
      completion: { values: ['a', 'b'], total: 5, hasMore: true },
    } satisfies Ours.CompleteResult,
  ],
  [
    'PromptReference',
    { type: 'ref/prompt', name: 'plan', title: 'Plan' } satisfies Ours.PromptReference,
  ],
  [
    'ResourceTemplateReference',
    { type: 'ref/resource', uri: 'docs://{slug}' } satisfies Ours.ResourceTemplateReference,
  ],
  [
    'GetPromptResult',
    {
      resultType: 'complete',
      description: 'x',
      messages: [{ role: 'assistant', content: TEXT }],
    } satisfies Ours.GetPromptResult,
  ],
  [
    'ReadResourceResult',
    {
      resultType: 'complete',
      contents: [CONTENTS],
      ttlMs: 0,
      cacheScope: 'private',
    } satisfies Ours.ReadResourceResult,
  ],
  [
    'DiscoverResult',
    {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: false }, prompts: {}, resources: { subscribe: false } },
      instructions: 'x',
      ttlMs: 0,
      cacheScope: 'public',
    } satisfies Ours.DiscoverResult,
  ],
  [
    'ElicitRequest',
    {
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: 'Who are you?',
        requestedSchema: {
          type: 'object',
          properties: {
            text: {
              type: 'string',
              minLength: 1,
              maxLength: 9,
              format: 'email',
              default: 'a@b.de',
            },
            whole: { type: 'integer', minimum: 0, maximum: 9, default: 1 },
            number: { type: 'number', minimum: 0.5 },
            yes: { type: 'boolean', title: 'Yes?', description: 'Or no', default: true },
            one: { type: 'string', enum: ['a', 'b'], default: 'a' },
            titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
            some: {
              type: 'array',
              minItems: 1,
              maxItems: 2,
              items: { type: 'string', enum: ['a'] },
            },
            titledSome: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
          },
          required: ['text'],
        },
      },
    } satisfies Ours.ElicitRequest,
  ],
  [
    'ElicitResult',
    {
      action: 'accept',
      content: { a: 'x', b: 1, c: true, d: ['y'] },
    } satisfies Ours.ElicitResult,
  ],
  ['ElicitResult', { action: 'decline' } satisfies Ours.ElicitResult],
  [
    'ClientCapabilities',
    {
      elicitation: { form: {}, url: {} },
      sampling: { context: {}, tools: {} },
      roots: {},
      experimental: { x: {} },
      extensions: { 'com.example/x': { a: 1 } },
    } satisfies Ours.ClientCapabilities,
  ],
  [
    'ProgressNotificationParams',
    {
      progressToken: 'p',
      progress: 1,
      total: 2,
      message: 'half',
    } satisfies Ours.ProgressNotificationParams,
  ],
  [
    'LoggingMessageNotificationParams',
    {
      level: 'warning',
      logger: 'billing',
      data: { late: true },
    } satisfies Ours.LoggingMessageNotificationParams,
  ],
];

describe('the protocol types', () => {
  it.each(samples)('describe what the official schema of %s accepts (sample %#)', (name, value) => {
    expect(isSpecType[name](value)).toBe(true);
  });

  it('use the official keys of _meta', () => {
    expect(MetaKey).toEqual({
      ProtocolVersion: PROTOCOL_VERSION_META_KEY,
      ClientInfo: CLIENT_INFO_META_KEY,
      ClientCapabilities: CLIENT_CAPABILITIES_META_KEY,
      LogLevel: LOG_LEVEL_META_KEY,
      ServerInfo: SERVER_INFO_META_KEY,
      SubscriptionId: SUBSCRIPTION_ID_META_KEY,
      ProgressToken: 'progressToken',
    });
  });

  it('use the official error codes, and -32020 which the official package does not name', () => {
    const { HeaderMismatch, ...named } = ErrorCode;
    expect(HeaderMismatch).toBe(-32020);
    expect(ProtocolErrorCode).toMatchObject(named);
  });

  it('are held against a schema that does refuse', () => {
    expect(isSpecType.ContentBlock({ type: 'text' })).toBe(false);
    expect(isSpecType.ElicitResult({ action: 'agree' })).toBe(false);
    expect(isSpecType.Tool({ name: 'x', inputSchema: { type: 'string' } })).toBe(false);
  });
});
