import type { CreateMessageResult, ElicitResult, FormValue, ListRootsResult } from '@dacapo/mcp';
import type { AskedQuestion } from './asked-question.js';

/** What a client answers a question with: a filled-in form, what a model said, or a list of folders. */
export type Answer = ElicitResult | CreateMessageResult | ListRootsResult;

/**
 * How the questions of a conversation are answered.
 *
 * - by key (`{ email: accept({ … }), 'elicit-2': decline() }`); a list is for a question that is asked
 *   again because its answer did not fit, one after the other;
 * - in the order of asking (`[accept({ … }), decline()]`);
 * - by a function, which may leave a question open (`undefined`) for a later round.
 */
export type Answers =
  | { readonly [key: string]: Answer | readonly Answer[] }
  | readonly Answer[]
  | ((question: AskedQuestion) => Answer | undefined);

/** The user fills in the form. */
export function accept(content: { [name: string]: FormValue } = {}): ElicitResult {
  return { action: 'accept', content };
}

/** The user says no. */
export function decline(): ElicitResult {
  return { action: 'decline' };
}

/** The user closes the question without saying anything. */
export function cancel(): ElicitResult {
  return { action: 'cancel' };
}
