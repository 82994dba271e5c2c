import type { ServerCapabilities } from './capabilities.js';
import type { CacheableResult } from './results.js';

/** The answer to `server/discover`. */
export interface DiscoverResult extends CacheableResult {
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  instructions?: string;
}
