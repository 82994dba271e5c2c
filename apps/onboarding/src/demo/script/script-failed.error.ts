/** The scripted conversation went another way than it should. */
export class ScriptFailedError extends Error {
  constructor(expectation: string, found: unknown) {
    super(`Expected: ${expectation}. Found: ${JSON.stringify(found)}`);
    this.name = 'ScriptFailedError';
  }
}
