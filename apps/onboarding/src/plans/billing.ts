/** How often an account pays. */
export const BILLINGS = ['monthly', 'yearly'] as const;

export type Billing = (typeof BILLINGS)[number];
