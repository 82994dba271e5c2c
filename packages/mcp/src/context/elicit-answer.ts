/** What became of a question. Declining and cancelling are answers like any other. */
export type ElicitAnswer<C> =
  | { readonly action: 'accept'; readonly content: C }
  /** The user said no. */
  | { readonly action: 'decline' }
  /** The user closed the question without a choice. */
  | { readonly action: 'cancel' };
