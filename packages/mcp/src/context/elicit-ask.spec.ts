import { IsEmail, IsOptional, Matches } from 'class-validator';
import { InvalidAskException, InvalidFormException } from '../exceptions/index.js';
import type { JsonValue } from '../protocol/index.js';
import type { Ask, Verdict } from '../replay/index.js';
import type { FormWriter } from '../schema/index.js';
import type { ElicitAnswer } from './elicit-answer.js';
import { elicitAsk } from './elicit-ask.js';

const FORM: FormWriter<{ email: string; tags: ('a' | 'b')[] }> = (form) =>
  form.email('email', { title: 'E-mail' }).choices('tags', ['a', 'b'], { default: ['a'] });

const SCHEMA = {
  type: 'object',
  properties: {
    email: { type: 'string', format: 'email', title: 'E-mail' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
  },
  required: ['email', 'tags'],
};

class Contact {
  @IsEmail()
  email!: string;

  @IsOptional()
  @Matches(/^[A-Z]+$/, { message: 'must be capital letters' })
  code?: string;
}

/** The outcome that would be recorded. */
async function recorded(ask: Ask<unknown>, answer: JsonValue): Promise<JsonValue> {
  const verdict = await ask.judge(answer);
  if (!verdict.accepted) throw new Error(verdict.reasons.join());
  return verdict.outcome;
}

describe('elicitAsk', () => {
  it('asks in form mode', () => {
    expect(elicitAsk('Who are you?', FORM, {}).request).toEqual({
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Who are you?', requestedSchema: SCHEMA },
    });
  });

  it('has the key it is given, or none', () => {
    const unnamed = elicitAsk('Who are you?', FORM, {});
    expect(unnamed.kind).toBe('elicit');
    expect(unnamed).not.toHaveProperty('key');
    expect(elicitAsk('Who are you?', FORM, { key: undefined })).not.toHaveProperty('key');
    expect(elicitAsk('Who are you?', FORM, { key: 'who' }).key).toBe('who');
  });

  it('is labelled with the first 80 characters of the message', () => {
    expect(elicitAsk('Who are you?', FORM, {}).label).toBe('Who are you?');
    expect(elicitAsk('x'.repeat(81), FORM, {}).label).toBe('x'.repeat(80));
  });

  it('is labelled with whole characters', () => {
    const { label } = elicitAsk(`${'x'.repeat(79)}😀`, FORM, {});
    expect(label.isWellFormed()).toBe(true);
  });

  it('is the same question with the same message and form', () => {
    const same = [
      elicitAsk('Who are you?', FORM, {}),
      elicitAsk<object>(
        'Who are you?',
        (form) =>
          form.email('email', { title: 'E-mail' }).choices('tags', ['a', 'b'], { default: ['a'] }),
        {},
      ),
    ].map(({ fingerprint }) => fingerprint);
    expect(new Set(same).size).toBe(1);
    expect(same[0]).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('is the same named question in other words, and another with other answers', () => {
    const prints = (...asks: FormWriter<object>[]): string[] =>
      asks.map((form, index) => elicitAsk(`Wording ${index}`, form, { key: 'who' }).fingerprint);
    const same = prints(
      (f) => f.choice('plan', ['a', 'b']).string('name', { optional: true }),
      (f) =>
        f
          .choice(
            'plan',
            [
              { value: 'a', title: 'Annual' },
              { value: 'b', title: 'Basic' },
            ],
            {
              title: 'Plan',
              description: 'Which?',
            },
          )
          .string('name', { optional: true, title: 'Name' }),
    );
    expect(new Set(same).size).toBe(1);
    const titled = prints(
      (f) =>
        f
          .choice('plan', [{ value: 'a', title: 'Annual' }])
          .choices('tags', [{ value: 'x', title: 'X' }]),
      (f) =>
        f
          .choice('plan', [{ value: 'a', title: 'Jährlich' }])
          .choices('tags', [{ value: 'x', title: 'Y' }]),
    );
    expect(new Set(titled).size).toBe(1);
    const others = prints(
      (f) => f.string('name'),
      (f) => f.string('name', { optional: true }),
      (f) => f.string('name', { maxLength: 3 }),
      (f) => f.string('title'),
      (f) => f.email('name'),
    );
    expect(new Set(others).size).toBe(5);
  });

  it.each<[string, string, FormWriter<object>]>([
    ['message', 'Who are you ?', FORM],
    ['name', 'Who are you?', (f) => f.email('mail')],
    ['kind', 'Who are you?', (f) => f.string('email')],
    ['title', 'Who are you?', (f) => f.email('email', { title: 'Mail' })],
    ['default', 'Who are you?', (f) => f.email('email', { default: 'a@b.de' })],
    ['need', 'Who are you?', (f) => f.email('email', { optional: true })],
    ['choices', 'Who are you?', (f) => f.choice('email', ['a'])],
  ])('is another question with another %s', (_, message, form) => {
    const plain = elicitAsk('Who are you?', (f) => f.email('email'), {});
    expect(elicitAsk(message, form, {}).fingerprint).not.toBe(plain.fingerprint);
  });

  it('restates the question with the reasons where the user reads them', () => {
    const ask = elicitAsk('Who are you?', FORM, {});
    expect(ask.restate(['"E-mail" is required', '"tags" must not repeat a value'])).toEqual({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message:
          'Who are you?\n\nPlease correct: "E-mail" is required; "tags" must not repeat a value.',
        requestedSchema: SCHEMA,
      },
    });
    expect(ask.request.params.message).toBe('Who are you?');
  });

  it.each(['', ' ', '\n\t'])('is refused without words: %j', (message) => {
    expect(() => elicitAsk(message, FORM, {})).toThrow(InvalidAskException);
    expect(() => elicitAsk(message, FORM, {})).toThrow(
      new Error('A question has no message. Say what the user is asked for, and why.'),
    );
  });

  it('is refused with a form that nobody could show', () => {
    expect(() => elicitAsk('Who are you?', (form) => form, {})).toThrow(InvalidFormException);
  });
});

describe('an answer', () => {
  const ask = elicitAsk('Who are you?', FORM, {});

  it.each(['decline', 'cancel'])(
    'that is %s is recorded and returned without content',
    (action) => {
      const verdict: unknown = ask.judge({ action, content: { email: 'x' } });
      expect(verdict).toEqual({ accepted: true, outcome: { action } });
      expect(ask.revive({ action, content: { email: 'x' } })).toEqual({ action });
    },
  );

  it('that fits is recorded with defaults filled and strangers dropped', () => {
    expect(ask.judge({ action: 'accept', content: { email: 'a@b.de', other: 1 } })).toEqual({
      accepted: true,
      outcome: { action: 'accept', content: { email: 'a@b.de', tags: ['a'] } },
    });
  });

  it('that does not fit has reasons', () => {
    expect(ask.judge({ action: 'accept', content: { tags: ['c'] } })).toEqual({
      accepted: false,
      reasons: ['"E-mail" is required', '"tags" must be a list of "a", "b"'],
    });
  });

  it('of a class form is judged by its decorators, and revived as an instance', async () => {
    const contact = elicitAsk('Who are you?', Contact, {});
    const wrong: Verdict = await contact.judge({
      action: 'accept',
      content: { email: 'a@b.de', code: 'x' },
    });
    expect(wrong).toEqual({ accepted: false, reasons: ['"code" must be capital letters'] });
    const outcome = await recorded(contact, { action: 'accept', content: { email: 'a@b.de' } });
    expect(outcome).toEqual({ action: 'accept', content: { email: 'a@b.de' } });
    const answer = contact.revive(outcome);
    expect(answer.action === 'accept' && answer.content).toBeInstanceOf(Contact);
  });

  it('is the same in every round, whatever a handler does with it', async () => {
    const outcome = await recorded(ask, { action: 'accept', content: { email: 'a@b.de' } });
    const before = JSON.stringify(outcome);
    const answer: ElicitAnswer<{ email: string; tags: string[] }> = ask.revive(outcome);
    if (answer.action !== 'accept') throw new Error('was not accepted');
    answer.content.tags.push('b');
    answer.content.email = 'changed';
    expect(JSON.stringify(outcome)).toBe(before);
  });

  it('leaves the form as it was, whatever a handler does with it', async () => {
    const own = elicitAsk('Which?', (f) => f.choices('tags', ['a', 'b'], { default: ['a'] }), {});
    const answer = own.revive(await recorded(own, { action: 'accept', content: {} }));
    if (answer.action !== 'accept') throw new Error('was not accepted');
    answer.content.tags.push('b');
    expect(await recorded(own, { action: 'accept', content: {} })).toEqual({
      action: 'accept',
      content: { tags: ['a'] },
    });
    expect(own.request.params.requestedSchema.properties['tags']).toHaveProperty('default', ['a']);
  });
});
