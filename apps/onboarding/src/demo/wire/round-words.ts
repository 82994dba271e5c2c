import type { Round, RoundOutcome } from './round.js';

/** A round in two lines: what was sent, and what came back. */
export function roundWords(round: Round): [sent: string, got: string] {
  return [
    `round ${round.number}  → ${sentWords(round)}`,
    `         ← ${outcomeWords(round.outcome)}`,
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
      const { resultType, questions, stateBytes } = outcome;
      const asked = questions.map(({ key, method }) => `asks ${key} (${method})`);
      return [resultType, ...asked, ...stateWords(stateBytes)].join(' · ');
    }
    case 'error':
      return [
        `HTTP ${outcome.status}`,
        ...(outcome.code === undefined ? [] : [`error ${outcome.code}`]),
        outcome.message,
      ].join(' · ');
  }
}

function stateWords(bytes: number | undefined): string[] {
  return bytes === undefined ? [] : [`requestState ${bytes} bytes`];
}
