/** Redis could not be asked, or has not answered: whether it did what it was asked is unknown. */
export class RedisUnavailableException extends Error {
  /**
   * @param address where it was looked for, without credentials
   * @param fact what has happened
   */
  constructor(address: string, fact: string, mend: string) {
    super(`Redis at ${address} ${fact}. ${mend}.`);
    this.name = 'RedisUnavailableException';
  }
}
