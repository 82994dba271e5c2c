import type { ContentBlock, Role } from './content.js';
import type { Icon } from './implementation.js';
import type { MetaObject } from './meta.js';
import type { CacheableResult, PaginatedResult, Result } from './results.js';

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

export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  prompts: Prompt[];
}

export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}
