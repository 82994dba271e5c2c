/** A conversation of an earlier release cannot go on as it would have. */
export class BrokenConversationException extends Error {
  constructor(
    /** How many rounds the earlier release had played, from 1. */
    readonly round: number,
    readonly rounds: number,
    cause: unknown,
  ) {
    super(
      `A conversation that was recorded in an earlier release cannot go on after round ${String(round)} of ${String(rounds)}: ` +
        `${cause instanceof Error ? cause.message : String(cause)} Users in the middle of one would see this; ` +
        'guard the change with ctx.version(), or wait until none is under way.',
      { cause },
    );
    this.name = 'BrokenConversationException';
  }
}
