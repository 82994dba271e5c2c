import type { JsonValue } from '@dacapo/mcp';
import type { Offer } from './client/offer.js';
import type { Taken } from './client/take-offer.js';
import type { Screen } from './terminal/screen.js';

const NAME_WIDTH = 20;

const HEADINGS: Readonly<Record<Offer['kind'], string>> = {
  tool: 'Tools',
  prompt: 'Prompts',
  resource: 'Resources',
  'resource template': 'Resource templates',
};

/** Lists what a server offers, by kind, numbered from 1. */
export function showOffers(screen: Screen, offers: readonly Offer[]): void {
  offers.forEach(({ kind, name, description }, index) => {
    if (kind !== offers[index - 1]?.kind) screen.print(screen.dim(`  ${HEADINGS[kind]}`));
    const number = String(index + 1).padStart(4);
    screen.print(`${number}  ${screen.bold(name.padEnd(NAME_WIDTH))}  ${description}`);
  });
}

/** Announces a call. */
export function showCall(
  screen: Screen,
  { kind, name }: Pick<Offer, 'kind' | 'name'>,
  args: Readonly<Record<string, JsonValue>>,
): void {
  const values = Object.keys(args).length === 0 ? '' : ` ${JSON.stringify(args)}`;
  screen.print(`${screen.bold(`${kind} ${name}`)}${values}`);
}

/** Shows what a call brought. */
export function showResult(screen: Screen, { text, failed }: Taken): void {
  screen.print(failed ? screen.bad('✗ The call failed:') : screen.good('✓ Result:'));
  for (const line of text.split('\n')) screen.print(`  ${line}`);
}

/** Shows that a call brought nothing. */
export function showRefusal(screen: Screen, message: string): void {
  screen.print(`${screen.bad('✗ The call was refused:')} ${message}`);
}
