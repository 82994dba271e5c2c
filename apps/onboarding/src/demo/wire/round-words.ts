import type { Round, RoundOutcome, ToldTask } from './round.js';

const MARGIN = 9;

/** A round in two lines: what was sent, and what came back. */
export function roundWords(round: Round): [sent: string, got: string] {
  const name = round.number === undefined ? 'task' : `round ${round.number}`;
  return [
    `${name.padEnd(MARGIN)}→ ${sentWords(round)}`,
    `${' '.repeat(MARGIN)}← ${outcomeWords(round.outcome)}`,
  ];
}

function sentWords({ method, target, answers, stateBytes }: Round): string {
  const given = [...answers].map(
    ([key, { action, content }]) =>
      `${key}: ${action}${content === undefined ? '' : ` ${JSON.stringify(content)}`}`,
  );
  return [`${method} ${target}`, ...given, ...stateWords(stateBytes)].join(' · ');
}

function outcomeWords(outcome: RoundOutcome): string {
  switch (outcome.type) {
    case 'result': {
      const { resultType, task, questions, stateBytes } = outcome;
      const asked = questions.map(({ key, method }) => `asks ${key} (${method})`);
      return [resultType, ...taskWords(task), ...asked, ...stateWords(stateBytes)].join(' · ');
    }
    case 'error':
      return [
        `HTTP ${outcome.status}`,
        ...(outcome.code === undefined ? [] : [`error ${outcome.code}`]),
        outcome.message,
      ].join(' · ');
  }
}

function taskWords(task: ToldTask | undefined): string[] {
  if (task === undefined) return [];
  const { status, message } = task;
  return [`status ${status}`, ...(message === undefined ? [] : [JSON.stringify(message)])];
}

function stateWords(bytes: number | undefined): string[] {
  return bytes === undefined ? [] : [`requestState ${bytes} bytes`];
}
