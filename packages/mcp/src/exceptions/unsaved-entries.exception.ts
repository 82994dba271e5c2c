/**
 * What a handler has recorded could not be kept, so nobody may build on it: the round is played again,
 * when the store answers.
 */
export class UnsavedEntriesException extends Error {
  constructor(handler: string, cause: unknown) {
    super(
      `What "${handler}" has recorded could not be kept. The round ends here, and is to be played again.`,
      { cause },
    );
    this.name = 'UnsavedEntriesException';
  }
}
