import type { MetaObject } from './meta.js';

/**
 * What a client wants to hear of, and what the server agrees to tell.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#notification-filter
 */
export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  /** Uris whose updates are wanted. */
  resourceSubscriptions?: string[];
  /** Things of extensions, in a member of theirs. */
  [member: string]: unknown;
}

/** The first message of a subscription. */
export interface SubscriptionsAcknowledgedParams {
  _meta: MetaObject;
  notifications: SubscriptionFilter;
}
