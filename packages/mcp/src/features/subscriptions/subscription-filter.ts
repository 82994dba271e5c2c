import type { McpChangedThing } from '../../changes/index.js';
import { InvalidParamsException } from '../../exceptions/index.js';
import {
  isJsonObject,
  type ServerCapabilities,
  type SubscriptionFilter,
} from '../../protocol/index.js';

const LISTS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;

/** Longer uris name nothing. */
const MAX_URI_LENGTH = 2_048;

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
  const uris = readUris(value['resourceSubscriptions'], maxResources);
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

function readUris(value: unknown, maxResources: number): string[] {
  if (value === undefined) return [];
  const uris: unknown[] = Array.isArray(value) ? value : [undefined];
  if (!uris.every((uri) => typeof uri === 'string' && uri.length <= MAX_URI_LENGTH)) {
    throw new InvalidParamsException(
      `params.notifications.resourceSubscriptions must be a list of uris of at most ${MAX_URI_LENGTH} characters.`,
    );
  }
  if (uris.length > maxResources) {
    throw new InvalidParamsException(
      `params.notifications.resourceSubscriptions has ${uris.length} uris. Send at most ${maxResources}.`,
    );
  }
  return [...new Set(uris as string[])];
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
    }
  };
}
