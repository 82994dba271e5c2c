import type { JsonValue } from '@dacapo/mcp';
import type { Terminal } from '../terminal/terminal.js';
import type { Field } from './field.js';
import { fieldIntroduction, fieldPrompt } from './field-words.js';
import { parseField } from './parse-field.js';

/** What a person made of a form. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: Record<string, JsonValue> }
  | { readonly action: 'decline' | 'cancel' };

/** Words that answer the whole form instead of one field. */
export const FORM_COMMANDS: Readonly<Record<string, 'decline' | 'cancel'>> = {
  '/decline': 'decline',
  '/cancel': 'cancel',
};

/**
 * Asks for one field after the other, each until its answer holds.
 * @throws InputClosedError when the input ends
 */
export async function askFields(terminal: Terminal, fields: readonly Field[]): Promise<FormAnswer> {
  const content: Record<string, JsonValue> = {};
  for (const field of fields) {
    const answer = await askField(terminal, field);
    if (typeof answer === 'string') return { action: answer };
    if (answer.value !== undefined) content[field.name] = answer.value;
  }
  return { action: 'accept', content };
}

async function askField(
  terminal: Terminal,
  field: Field,
): Promise<{ value: JsonValue | undefined } | 'decline' | 'cancel'> {
  const { screen } = terminal;
  for (const line of fieldIntroduction(field)) screen.print(`    ${screen.dim(line)}`);
  for (;;) {
    const line = await terminal.ask(`  ${fieldPrompt(field)}: `);
    const command = FORM_COMMANDS[line.trim()];
    if (command !== undefined) return command;
    const parsed = parseField(field, line);
    if (parsed.ok) return parsed;
    screen.print(`  ${screen.bad('✗')} ${parsed.problem}`);
  }
}
