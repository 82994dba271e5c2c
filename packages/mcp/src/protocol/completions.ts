import type { Result } from './results.js';

/** Names a prompt whose argument is completed. */
export interface PromptReference {
  type: 'ref/prompt';
  name: string;
  title?: string;
}

/** Names a resource template whose variable is completed. */
export interface ResourceTemplateReference {
  type: 'ref/resource';
  /** The text of the template, or the uri of a resource. */
  uri: string;
}

/**
 * What a client wants completed.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export interface CompleteRequestParams {
  ref: PromptReference | ResourceTemplateReference;
  argument: {
    name: string;
    /** As far as it has been typed. */
    value: string;
  };
  context?: {
    /** The arguments that have their values already. */
    arguments?: { [name: string]: string };
  };
}

/** What fits, best first, and whether there is more. */
export interface CompleteResult extends Result {
  completion: {
    /** The best first, 100 at most. */
    values: string[];
    /** How many there are, whether sent or not. */
    total?: number;
    /** Whether there are more than were sent. */
    hasMore?: boolean;
  };
}
