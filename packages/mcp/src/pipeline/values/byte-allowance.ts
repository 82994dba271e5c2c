import { ResultTooLargeException } from '../../exceptions/index.js';

/** How much of a handler's value may still be read. */
export class ByteAllowance {
  private left: number;

  constructor(
    private readonly handler: string,
    private readonly maxBytes: number,
  ) {
    this.left = maxBytes;
  }

  /** @throws ResultTooLargeException when it is more than what is left */
  take(bytes: number): void {
    this.check(bytes);
    this.left -= bytes;
  }

  /** What is known to come need not be read to be refused. @throws ResultTooLargeException */
  check(bytes: number): void {
    if (bytes > this.left) throw new ResultTooLargeException(this.handler, this.maxBytes);
  }
}
