/** A step returned more than an entry of the ledger may hold. It has run and is not recorded. */
export class EntryTooLargeException extends Error {
  constructor(
    handler: string,
    readonly key: string,
    readonly bytes: number,
    readonly maxEntryBytes: number,
  ) {
    super(
      `The entry "${key}" of "${handler}" would be ${bytes} bytes, more than replay.maxEntryBytes (${maxEntryBytes}). ` +
        'Return what later rounds need, such as an identifier, and leave the rest where it can be looked up; or raise the limit.',
    );
    this.name = 'EntryTooLargeException';
  }
}
