/** A handler returned something its own declaration does not allow: the server's fault. */
export class InvalidResultException extends Error {
  constructor(handler: string, detail: string, mend?: string) {
    super(
      `"${handler}" returned a value that cannot be sent: ${detail}.` +
        (mend === undefined ? '' : ` ${mend}.`),
    );
    this.name = 'InvalidResultException';
  }
}
