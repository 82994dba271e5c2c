import type { ContentBlock, Role } from './content.js';
import type { Icon } from './implementation.js';
import type { MetaObject } from './meta.js';
import type { CacheableResult, PaginatedResult, Result } from './results.js';

/** An argument of a prompt, as it is listed. */
export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** A prompt as `prompts/list` shows it. */
export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  arguments?: PromptArgument[];
  _meta?: MetaObject;
}

/** One message of a prompt. */
export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

/** The answer to `prompts/list`. */
export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  prompts: Prompt[];
}

/** The answer to `prompts/get`. */
export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}
