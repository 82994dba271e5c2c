import type { ElicitResult } from '@modelcontextprotocol/client';
import type { Answerer } from './client/mcp-session.js';
import { askFields } from './fields/ask-fields.js';
import { schemaFields } from './fields/schema-fields.js';
import type { Terminal } from './terminal/terminal.js';

/** Lets the person at the terminal answer the questions of the server. */
export function answerAtTerminal(terminal: Terminal): Answerer {
  const { screen } = terminal;
  return async ({ message, schema }): Promise<ElicitResult> => {
    screen.print();
    for (const line of message.split('\n'))
      screen.print(`${screen.bold('?')} ${screen.bold(line)}`);
    screen.print(
      screen.dim('  Enter takes what stands in [brackets]; /decline says no, /cancel walks away.'),
    );
    const answer = await askFields(terminal, schemaFields(schema));
    screen.print();
    // The fields of a form hold nothing but what a form may hold.
    return answer as ElicitResult;
  };
}
