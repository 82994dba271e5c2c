/** Request methods of revision 2026-07-28 that the server answers. */
export const McpMethod = {
  Discover: 'server/discover',
  ToolsList: 'tools/list',
  ToolsCall: 'tools/call',
  PromptsList: 'prompts/list',
  PromptsGet: 'prompts/get',
  ResourcesList: 'resources/list',
  ResourceTemplatesList: 'resources/templates/list',
  ResourcesRead: 'resources/read',
  SubscriptionsListen: 'subscriptions/listen',
  CompletionComplete: 'completion/complete',
} as const;

/** One of these methods. */
export type McpMethod = (typeof McpMethod)[keyof typeof McpMethod];

/**
 * The three methods whose result may be `input_required`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#supported-requests
 */
export type ReplayableMethod =
  typeof McpMethod.ToolsCall | typeof McpMethod.PromptsGet | typeof McpMethod.ResourcesRead;

/** Notifications, on the stream of the request they belong to. */
export const McpNotificationMethod = {
  /** On stdio: from the client, to take a request back; from the server, to drop a subscription. */
  Cancelled: 'notifications/cancelled',
  Progress: 'notifications/progress',
  Message: 'notifications/message',
  SubscriptionsAcknowledged: 'notifications/subscriptions/acknowledged',
  ToolsListChanged: 'notifications/tools/list_changed',
  PromptsListChanged: 'notifications/prompts/list_changed',
  ResourcesListChanged: 'notifications/resources/list_changed',
  ResourcesUpdated: 'notifications/resources/updated',
} as const;
