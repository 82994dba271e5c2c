import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '@dacapo/mcp';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { CallFailedError } from '../call-failed.error.js';
import { ADA, type Caller, GRACE, NOBODY } from '../callers.js';
import type { Offer } from '../client/offer.js';
import type { DemoServer } from '../demo-server.js';
import { Guest, type PlayedCall } from '../guest.js';
import { showCall, showOffers, showRefusal, showResult } from '../show.js';
import type { Screen } from '../terminal/screen.js';
import { ScriptedAnswers } from './scripted-answers.js';
import { ScriptFailedError } from './script-failed.error.js';

type Target = Pick<Offer, 'kind' | 'name'>;
type Arguments = Readonly<Record<string, JsonValue>>;

const OPEN: Target = { kind: 'tool', name: 'openAccount' };
const CLOSE: Target = { kind: 'tool', name: 'closeAccount' };
const IMPORT: Target = { kind: 'tool', name: 'importAccounts' };
const LIST: Target = { kind: 'tool', name: 'listAccounts' };
const LETTER: Target = { kind: 'prompt', name: 'welcomeLetter' };
const ACCOUNT: Target = { kind: 'resource template', name: 'accounts://{id}' };
const PLANS: Target = { kind: 'resource', name: 'plans://catalogue' };

/** The first of each list has the address of an account that is open by then. */
const ROWS = [
  { holder: 'Analytical Engines', email: 'ada@example.com', plan: 'team' },
  { holder: 'Difference Engines', email: 'engines@example.com', plan: 'business' },
  { holder: 'Compilers', email: 'grace@example.com', plan: 'free' },
];
const MORE_ROWS = [
  { holder: 'Compilers', email: 'grace@example.com', plan: 'free' },
  { holder: 'Jacquard Looms', email: 'looms@example.com', plan: 'team' },
];

/** One conversation without a person: the life of an account, who is kept away from it, and an import. */
export class Script {
  private readonly answers: ScriptedAnswers;

  constructor(
    private readonly server: DemoServer,
    private readonly screen: Screen,
  ) {
    this.answers = new ScriptedAnswers(screen);
  }

  /** @throws ScriptFailedError | CallFailedError at the first thing that is not as it should be */
  async play(): Promise<void> {
    this.screen.print(this.screen.bold(`Onboarding, served at ${this.server.url}`));
    await this.as(ADA, async (ada) => {
      await this.listOffers(ada);
      const id = await this.openAccount(ada);
      await this.readAccount(ada, id);
      await this.readPlans(ada);
      await this.getLetter(ada, id);
      await this.as(GRACE, (grace) => this.beRefused(grace, CLOSE, { id }, 403));
      await this.as(NOBODY, (nobody) => this.beRefused(nobody, LIST, {}, 401));
      await this.as(ADA, (patient) => this.importAsTask(patient), true);
      await this.importPlainly(ada);
      await this.keepAccount(ada, id);
      await this.closeAccount(ada, id);
    });
    this.title('The end');
    this.screen.print('Everything went as expected.');
  }

  private async listOffers(ada: Guest): Promise<void> {
    this.title('What the server offers');
    const offers = await ada.offers();
    showOffers(this.screen, offers);
    for (const { kind, name } of [OPEN, CLOSE, LIST, IMPORT, LETTER, PLANS, ACCOUNT]) {
      const found = offers.some((offer) => offer.kind === kind && offer.name === name);
      this.expect(`the ${kind} ${name} is offered`, found, true);
    }
  }

  private async openAccount(ada: Guest): Promise<string> {
    this.title('Open an account: two questions, three rounds');
    const played = await this.take(
      ada,
      OPEN,
      { holder: 'Analytical Engines', seats: 3 },
      { action: 'accept', content: { email: 'ada@example.com' } },
      { action: 'accept', content: { plan: 'team', yearly: true } },
    );
    this.expect('three rounds, which asked for email, plan and nothing', asked(played), [
      ['email'],
      ['plan'],
      [],
    ]);
    const { id, plan, billing, status } = played.data as Record<string, string>;
    const found = { plan, billing, status };
    this.expect('the account has the answers', found, {
      plan: 'team',
      billing: 'yearly',
      status: 'open',
    });
    return id ?? '';
  }

  private async readAccount(ada: Guest, id: string): Promise<void> {
    this.title('Read it as a resource');
    const { text } = await this.take(ada, ACCOUNT, { id });
    const { holder } = JSON.parse(text) as { holder: string };
    this.expect('the resource is the account', holder, 'Analytical Engines');
  }

  private async readPlans(ada: Guest): Promise<void> {
    this.title('Read the plans');
    const { text } = await this.take(ada, PLANS, {});
    this.expect('the plans are listed', text.includes('| Team |'), true);
  }

  private async getLetter(ada: Guest, id: string): Promise<void> {
    this.title('Get the prompt: prompts may ask, too');
    const played = await this.take(
      ada,
      LETTER,
      { id },
      { action: 'accept', content: { tone: 'formal' } },
    );
    this.expect('two rounds', asked(played), [['tone'], []]);
    this.expect('the letter has the tone', played.text.includes('short and formal letter'), true);
  }

  private async importAsTask(ada: Guest): Promise<void> {
    this.title('Import a list as a task: it works, and asks, while the client polls it');
    const played = await this.take(ada, IMPORT, { rows: ROWS }, taken('skip'));
    this.expect('the task asked once', asked(played).flat(), ['taken']);
    const { opened, skipped } = played.data as { opened: string[]; skipped: unknown[] };
    const found = { opened: opened.length, skipped: skipped.length };
    this.expect('two accounts are opened, one row is skipped', found, { opened: 2, skipped: 1 });
  }

  private async importPlainly(ada: Guest): Promise<void> {
    this.title('Import another as a plain call: the same tool, for clients that know no tasks');
    const played = await this.take(ada, IMPORT, { rows: MORE_ROWS }, taken('stop'));
    this.expect('two rounds', asked(played), [['taken'], []]);
    const { opened } = played.data as { opened: string[] };
    this.expect('nothing was opened', opened, []);
  }

  private async keepAccount(ada: Guest, id: string): Promise<void> {
    this.title('Think better of closing it: to decline is an answer');
    const { text } = await this.take(ada, CLOSE, { id }, { action: 'decline' });
    this.expect('nothing was closed', text, 'Nothing was closed.');
  }

  private async closeAccount(ada: Guest, id: string): Promise<void> {
    this.title('Close it, with confirmation');
    const played = await this.take(
      ada,
      CLOSE,
      { id },
      { action: 'accept', content: { sure: true } },
    );
    this.expect('two rounds', asked(played), [['confirmation'], []]);
    const { data } = await this.take(ada, LIST, {});
    const { accounts } = data as { accounts: { id: string; status: string }[] };
    const found = accounts
      .filter((account) => account.status === 'closed')
      .map((account) => account.id);
    this.expect('the account is closed, and no other', found, [id]);
  }

  private async beRefused(
    guest: Guest,
    target: Target,
    args: Arguments,
    status: number,
  ): Promise<void> {
    this.title(`Be refused: ${guest.caller.title}`);
    showCall(this.screen, target, args);
    const refusal = await refusalOf(guest.take(target, args));
    showRefusal(this.screen, refusal.message);
    this.expect(`the guard answers with HTTP ${status}`, refusal.status, status);
  }

  private async take(
    guest: Guest,
    target: Target,
    args: Arguments,
    ...answers: ElicitResult[]
  ): Promise<PlayedCall> {
    showCall(this.screen, target, args);
    this.answers.prepare(...answers);
    const played = await guest.take(target, args);
    showResult(this.screen, played);
    if (answers.length > 0) this.expect('every answer was asked for', this.answers.left, 0);
    return played;
  }

  private async as(
    caller: Caller,
    work: (guest: Guest) => Promise<void>,
    tasks = false,
  ): Promise<void> {
    const { server, screen, answers } = this;
    const guest = await Guest.arrive({ server, caller, tasks, screen, answer: answers.answer });
    try {
      await work(guest);
    } finally {
      await guest.leave();
    }
  }

  private title(text: string): void {
    this.screen.print(`\n${this.screen.bold(`— ${text}`)}`);
  }

  private expect(expectation: string, found: unknown, wanted: unknown): void {
    if (!isDeepStrictEqual(found, wanted)) throw new ScriptFailedError(expectation, found);
    this.screen.print(`  ${this.screen.good('✓')} ${expectation}`);
  }
}

function taken(choice: 'skip' | 'stop'): ElicitResult {
  return { action: 'accept', content: { taken: choice } };
}

/** @throws ScriptFailedError when the call succeeds */
async function refusalOf(call: Promise<PlayedCall>): Promise<CallFailedError> {
  let played: PlayedCall;
  try {
    played = await call;
  } catch (error) {
    if (error instanceof CallFailedError) return error;
    throw error;
  }
  throw new ScriptFailedError('the call is refused', played.text);
}

/** The keys of the questions, round by round. */
function asked({ rounds }: PlayedCall): string[][] {
  return rounds.map(({ outcome }) =>
    outcome.type === 'result' ? outcome.questions.map(({ key }) => key) : [],
  );
}
