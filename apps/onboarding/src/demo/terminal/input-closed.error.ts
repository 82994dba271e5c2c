/** The input ended, or the person pressed Ctrl-C: nobody is there to answer any more. */
export class InputClosedError extends Error {
  constructor() {
    super('The input has ended, so nobody can answer.');
    this.name = 'InputClosedError';
  }
}
