import type { McpChangedThing } from '../../changes/index.js';
import { InvalidParamsException } from '../../exceptions/index.js';
import {
  isJsonObject,
  type ServerCapabilities,
  type SubscriptionFilter,
} from '../../protocol/index.js';

const LISTS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;

/** Longer uris and keys name nothing. */
const MAX_KEY_LENGTH = 2_048;

/**
 * What a client has asked for: everything the protocol knows, once.
 * @throws InvalidParamsException
 */
export function readFilter(value: unknown, maxResources: number): SubscriptionFilter {
  if (!isJsonObject(value)) {
    throw new InvalidParamsException(
      'params.notifications must be an object. Name in it what to listen for, such as { "toolsListChanged": true }.',
    );
  }
  const filter: SubscriptionFilter = {};
  for (const list of LISTS) {
    const wanted = value[list];
    if (wanted !== undefined && typeof wanted !== 'boolean') {
      throw new InvalidParamsException(`params.notifications.${list} must be true or false.`);
    }
    if (wanted === true) filter[list] = true;
  }
  const uris = readKeys(value, 'resourceSubscriptions', 'uris', maxResources);
  if (uris.length > 0) filter.resourceSubscriptions = uris;
  return filter;
}

/** What of a filter is honoured: what the server announces that it can tell of. */
export function honoured(
  filter: SubscriptionFilter,
  { tools, prompts, resources }: ServerCapabilities,
): SubscriptionFilter {
  const can: Readonly<Record<keyof SubscriptionFilter, boolean | undefined>> = {
    toolsListChanged: tools?.listChanged,
    promptsListChanged: prompts?.listChanged,
    resourcesListChanged: resources?.listChanged,
    resourceSubscriptions: resources?.subscribe,
  };
  return Object.fromEntries(
    Object.entries(filter).filter(([name]) => can[name as keyof SubscriptionFilter] === true),
  );
}

/**
 * The keys that a client has listed in a member of its filter, each once.
 * @param noun what they are, for messages, in the plural
 * @throws InvalidParamsException
 */
export function readKeys(
  filter: Readonly<Record<string, unknown>>,
  member: string,
  noun: string,
  maxKeys: number,
): string[] {
  const value = filter[member];
  if (value === undefined) return [];
  const keys: unknown[] = Array.isArray(value) ? value : [undefined];
  if (!keys.every((key) => typeof key === 'string' && key.length <= MAX_KEY_LENGTH)) {
    throw new InvalidParamsException(
      `params.notifications.${member} must be a list of ${noun} of at most ${MAX_KEY_LENGTH} characters.`,
    );
  }
  if (keys.length > maxKeys) {
    throw new InvalidParamsException(
      `params.notifications.${member} has ${keys.length} ${noun}. Send at most ${maxKeys}.`,
    );
  }
  return [...new Set(keys as string[])];
}

/** Tells whether a change is one that a filter lets through. */
export function filterMatcher(filter: SubscriptionFilter): (change: McpChangedThing) => boolean {
  const uris = new Set(filter.resourceSubscriptions);
  return (change) => {
    switch (change.type) {
      case 'tools':
        return filter.toolsListChanged === true;
      case 'prompts':
        return filter.promptsListChanged === true;
      case 'resources':
        return filter.resourcesListChanged === true;
      case 'resource':
        return uris.has(change.uri);
      case 'extension':
        return false;
    }
  };
}
