import { ConflictException } from '@nestjs/common';

/** The account was closed before. */
export class AccountClosedException extends ConflictException {
  constructor(id: string) {
    super(`The account ${id} is closed already. Open a new one instead.`);
  }
}
