import { CallEndedException } from '../exceptions/index.js';
import { rejected } from '../replay/index.js';
import type { FormBuilder } from '../schema/index.js';
import { askLabel } from './ask-label.js';
import type { ElicitAnswer } from './elicit-answer.js';

const DONE = { decline: 'declined', cancel: 'cancelled' } as const;

/** The content of an answer without which the call ends. */
export function neededContent<C>(
  answer: ElicitAnswer<C>,
  message: string,
  otherwise: string | undefined,
): C | Promise<never> {
  if (answer.action === 'accept') return answer.content;
  const { action } = answer;
  const text = otherwise ?? `The user ${DONE[action]}: ${JSON.stringify(askLabel(message))}.`;
  return rejected(new CallEndedException(text, action));
}

/** The form of a question that is answered with yes or no. */
export function confirmation(form: FormBuilder): FormBuilder<{ confirmed: boolean }> {
  return form.boolean('confirmed', { title: 'Yes' });
}
