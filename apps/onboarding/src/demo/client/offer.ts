import type { Field } from '../fields/field.js';

/** Something a server offers, and what it wants to know for it. */
export interface Offer {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'resource template';
  /** Tool or prompt name, uri or uri template. */
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
}
