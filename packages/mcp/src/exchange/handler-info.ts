/** What a handler is; a completion stands for whatever it completes. */
export type HandlerKind = 'tool' | 'prompt' | 'resource' | 'resource template' | 'completion';

/** A handler, as guards, interceptors and visibility rules know it. */
export interface McpHandlerInfo {
  readonly kind: HandlerKind;
  /** Tool or prompt name, or the uri (template) of a resource; of a completion, what it completes. */
  readonly name: string;
  /** Of a completion: the argument. */
  readonly argument?: string;
}
