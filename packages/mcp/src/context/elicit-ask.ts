import type { Type } from '@nestjs/common';
import type {
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitResult,
  FormValue,
  JsonValue,
  RequestedSchema,
} from '../protocol/index.js';
import { type Ask, fingerprint, type Verdict } from '../replay/index.js';
import { answerShape, type ElicitForm, type FormWriter, toElicitForm } from '../schema/index.js';
import { askLabel } from './ask-label.js';
import { checkMessage } from './ask-message.js';
import type { ElicitAnswer } from './elicit-answer.js';
import type { AskOptions } from './mcp-elicitor.js';

/**
 * Makes a question of a message and a form.
 * @throws InvalidAskException | InvalidFormException when nobody could answer it
 */
export function elicitAsk<C extends object>(
  message: string,
  form: FormWriter<C> | Type<C>,
  options: AskOptions,
): Ask<ElicitAnswer<C>, FormRequest> {
  checkMessage(message);
  const written = toElicitForm(form);
  const { schema } = written;
  return {
    kind: 'elicit',
    ...(options.key !== undefined && { key: options.key }),
    label: askLabel(message),
    fingerprint: fingerprint(identityOf(message, schema, options) as unknown as JsonValue),
    request: toRequest(message, schema),
    restate: (reasons) => toRequest(`${message}\n\nPlease correct: ${reasons.join('; ')}.`, schema),
    judge: (answer) => judgeResult(answer as unknown as ElicitResult, written),
    revive: (outcome) => reviveResult(outcome as unknown as ElicitResult, written),
  };
}

/** What must stay the same from round to round: of a named question only what may be answered. */
function identityOf(message: string, schema: RequestedSchema, { key }: AskOptions): object {
  return key === undefined
    ? { kind: 'elicit', message, schema }
    : { kind: 'elicit', answer: answerShape(schema) };
}

type FormRequest = ElicitRequest & { params: ElicitRequestFormParams };

function toRequest(message: string, requestedSchema: RequestedSchema): FormRequest {
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
}

function judgeResult(
  { action, content }: ElicitResult,
  form: ElicitForm<object>,
): Verdict | Promise<Verdict> {
  if (action !== 'accept') return { accepted: true, outcome: { action } };
  const result = form.judge(content as { [name: string]: FormValue });
  return result instanceof Promise ? result.then(toVerdict) : toVerdict(result);
}

function toVerdict(result: Awaited<ReturnType<ElicitForm<object>['judge']>>): Verdict {
  return result.ok
    ? { accepted: true, outcome: { action: 'accept', content: result.content } }
    : { accepted: false, reasons: result.reasons };
}

function reviveResult<C>({ action, content }: ElicitResult, form: ElicitForm<C>): ElicitAnswer<C> {
  return action === 'accept'
    ? { action, content: form.revive(content as { [name: string]: FormValue }) }
    : { action };
}
