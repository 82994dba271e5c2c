import { parseArgs } from 'node:util';
import { type DemoServer, startDemoServer } from './demo-server.js';
import { Interactive } from './interactive.js';
import { Script } from './script/script.js';
import { Screen } from './terminal/screen.js';
import { Terminal } from './terminal/terminal.js';

const HELP = `Starts the onboarding server on a free port and opens a terminal client.

  --script   plays one conversation without a person; ends with 0 when all went as expected
  --help     shows this`;

const { values } = parseArgs({
  options: { script: { type: 'boolean' }, help: { type: 'boolean' } },
});

if (values.help === true) console.log(HELP);
else await demo(values.script === true);

async function demo(scripted: boolean): Promise<void> {
  // A reader that goes away, as `head` does, is no failure of the demo.
  process.stdout.on('error', () => undefined);
  const server = await startDemoServer();
  try {
    await (scripted ? new Script(server, new Screen(process.stdout)).play() : converse(server));
  } catch (error) {
    // The words are written for a person, who has no use for the stack.
    console.error(`✗ ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await server.close();
  }
}

async function converse(server: DemoServer): Promise<void> {
  const terminal = new Terminal(process.stdin, process.stdout);
  const interrupt = () => terminal.interrupt();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  process.stdout.on('error', interrupt);
  try {
    await Interactive.play(server, terminal);
  } finally {
    terminal.close();
  }
}
