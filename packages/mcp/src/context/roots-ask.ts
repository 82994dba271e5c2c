import type { ListRootsResult, Root } from '../protocol/index.js';
import { type Ask, fingerprint } from '../replay/index.js';
import type { AskOptions } from './mcp-elicitor.js';

const REQUEST = { method: 'roots/list', params: {} } as const;
const FINGERPRINT = fingerprint({ kind: 'roots' });

/** Makes a question for the client's roots. */
export function rootsAsk(options: AskOptions): Ask<readonly Root[]> {
  return {
    kind: 'roots',
    ...(options.key !== undefined && { key: options.key }),
    label: 'roots',
    fingerprint: FINGERPRINT,
    request: REQUEST,
    restate: () => REQUEST,
    judge: (answer) => ({ accepted: true, outcome: answer }),
    revive: (outcome) => structuredClone((outcome as unknown as ListRootsResult).roots),
  };
}
