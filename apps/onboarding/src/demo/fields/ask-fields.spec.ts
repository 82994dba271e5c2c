import { PassThrough } from 'node:stream';
import { InputClosedError } from '../terminal/input-closed.error.js';
import { Terminal } from '../terminal/terminal.js';
import { askFields } from './ask-fields.js';
import { schemaFields } from './schema-fields.js';

const FIELDS = schemaFields({
  properties: {
    email: { type: 'string', format: 'email', title: 'E-mail' },
    seats: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
    plan: { type: 'string', oneOf: [{ const: 'free', title: 'For nothing' }] },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a', 'b'] },
    yearly: { type: 'boolean', default: true, description: 'Two months are free' },
    note: { type: 'string' },
  },
  required: ['email', 'plan'],
});

async function play(...lines: string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(''));
  const answer = await askFields(new Terminal(input, output), FIELDS);
  return { answer, transcript: String(output.read()) };
}

describe('askFields', () => {
  it('collects a form, and takes defaults for empty lines', async () => {
    const { answer, transcript } = await play('ada@example.com', '', '1', '', '', '');
    expect(answer).toEqual({
      action: 'accept',
      content: { email: 'ada@example.com', seats: 1, plan: 'free', tags: ['a', 'b'], yearly: true },
    });
    expect(transcript.split('\n')).toEqual([
      '  E-mail (email): ada@example.com',
      '  seats (1 to 9) [1]: ',
      '    1  For nothing',
      '  plan (1): 1',
      '    1  a',
      '    2  b',
      '  tags (some, with commas between) [a, b]: ',
      '    Two months are free',
      '  yearly (yes or no) [yes]: ',
      '  note [optional]: ',
      '',
    ]);
  });

  it('asks again until the answer holds', async () => {
    const { answer, transcript } = await play(
      '',
      'ada',
      'ada@example.com',
      '10',
      '9',
      'free',
      '',
      '',
      '',
    );
    expect(answer).toMatchObject({ content: { email: 'ada@example.com', seats: 9 } });
    expect(transcript).toContain('✗ "E-mail" is needed.');
    expect(transcript).toContain('✗ "E-mail" must be an e-mail address such as ada@example.com.');
    expect(transcript).toContain('✗ "seats" must be at most 9.');
  });

  it.each(['decline', 'cancel'])('lets a person %s at any field', async (action) => {
    const { answer } = await play('ada@example.com', `/${action}`);
    expect(answer).toEqual({ action });
  });

  it('gives up when the input ends', async () => {
    await expect(play('ada@example.com')).rejects.toThrow(InputClosedError);
  });
});
