import { answerAtTerminal } from './answer-at-terminal.js';
import { CallFailedError } from './call-failed.error.js';
import { ADA, type Caller, GRACE, NOBODY } from './callers.js';
import type { Offer } from './client/offer.js';
import type { DemoServer } from './demo-server.js';
import { askFields } from './fields/ask-fields.js';
import type { ChoiceField } from './fields/field.js';
import { Guest } from './guest.js';
import { showCall, showOffers, showRefusal, showResult } from './show.js';
import { InputClosedError } from './terminal/input-closed.error.js';
import type { Screen } from './terminal/screen.js';
import type { Terminal } from './terminal/terminal.js';

const CALLERS: readonly Caller[] = [ADA, GRACE, NOBODY];

/** Lets a person choose and call until they quit or the input ends. */
export class Interactive {
  private readonly screen: Screen;
  private tasks = false;

  private constructor(
    private readonly server: DemoServer,
    private readonly terminal: Terminal,
    private guest: Guest,
    private readonly offers: readonly Offer[],
  ) {
    this.screen = terminal.screen;
  }

  static async play(server: DemoServer, terminal: Terminal): Promise<void> {
    const guest = await arrive(server, ADA, terminal, false);
    const play = new Interactive(server, terminal, guest, await guest.offers());
    try {
      await play.run();
    } catch (error) {
      if (!(error instanceof InputClosedError)) throw error;
    } finally {
      await play.guest.leave();
    }
    terminal.screen.print('Goodbye.');
  }

  private async run(): Promise<void> {
    this.welcome();
    for (;;) {
      this.screen.print();
      const line = (await this.terminal.ask(`${this.guest.caller.title} > `)).trim();
      switch (line.toLowerCase()) {
        case 'q':
        case 'quit':
        case 'exit':
          return;
        case '':
        case '?':
          this.menu();
          break;
        case 'c':
          await this.changeCaller();
          break;
        case 't':
          await this.changeTasks();
          break;
        default:
          await this.choose(line);
      }
    }
  }

  private welcome(): void {
    this.screen.print(this.screen.bold(`Onboarding, served at ${this.server.url}`));
    this.screen.print(
      'Every call shows its rounds: what was sent (→) and what came back (←). The server keeps nothing between them.',
    );
    this.screen.print();
    this.menu();
  }

  private menu(): void {
    showOffers(this.screen, this.offers);
    this.screen.print();
    this.screen.print(
      this.screen.dim(
        'A number or a name calls; c changes the caller, t turns tasks on and off, ? shows this list, q quits.',
      ),
    );
  }

  private async choose(line: string): Promise<void> {
    const offer =
      this.offers.find(({ name }) => name.toLowerCase() === line.toLowerCase()) ??
      (/^\d+$/.test(line) ? this.offers[Number(line) - 1] : undefined);
    if (offer === undefined) {
      this.screen.print(
        `${this.screen.bad('✗')} There is no ${JSON.stringify(line)}. Choose 1 to ${this.offers.length}, c, t, ? or q.`,
      );
      return;
    }
    await this.call(offer);
  }

  private async call(offer: Offer): Promise<void> {
    if (offer.fields.length > 0) {
      this.screen.print(
        this.screen.dim('  Enter takes what stands in [brackets]; /cancel goes back to the list.'),
      );
    }
    const answer = await askFields(this.terminal, offer.fields);
    if (answer.action !== 'accept') return;
    showCall(this.screen, offer, answer.content);
    try {
      const played = await this.guest.take(offer, answer.content, this.terminal.signal);
      showResult(this.screen, played);
    } catch (error) {
      // Nobody is there any more when the input has ended while a question was open.
      if (this.terminal.closed) throw new InputClosedError();
      if (!(error instanceof CallFailedError)) throw error;
      showRefusal(this.screen, error.message);
    }
  }

  private async changeCaller(): Promise<void> {
    const field: ChoiceField = {
      kind: 'choice',
      name: 'caller',
      label: 'Who are you',
      required: true,
      choices: CALLERS.map(({ title }) => ({ value: title, title })),
      default: this.guest.caller.title,
    };
    const answer = await askFields(this.terminal, [field]);
    if (answer.action !== 'accept') return;
    const caller = CALLERS.find(({ title }) => title === answer.content['caller']) ?? ADA;
    await this.comeBackAs(caller);
  }

  private async changeTasks(): Promise<void> {
    this.tasks = !this.tasks;
    await this.comeBackAs(this.guest.caller);
    this.screen.print(
      this.tasks
        ? 'Tasks are on: importAccounts becomes one. The server keeps it, and the client polls and answers it.'
        : 'Tasks are off: every call is a plain one.',
    );
  }

  private async comeBackAs(caller: Caller): Promise<void> {
    await this.guest.leave();
    this.guest = await arrive(this.server, caller, this.terminal, this.tasks);
  }
}

function arrive(
  server: DemoServer,
  caller: Caller,
  terminal: Terminal,
  tasks: boolean,
): Promise<Guest> {
  const { screen } = terminal;
  return Guest.arrive({ server, caller, tasks, screen, answer: answerAtTerminal(terminal) });
}
