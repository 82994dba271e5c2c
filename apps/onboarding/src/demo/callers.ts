/** Whoever the demo can be. */
export interface Caller {
  /** `null` for a caller without a token. */
  readonly subject: string | null;
  readonly title: string;
}

export const ADA: Caller = { subject: 'ada@example.com', title: 'ada@example.com' };
export const GRACE: Caller = { subject: 'grace@example.com', title: 'grace@example.com' };
export const NOBODY: Caller = { subject: null, title: 'nobody (no token)' };
