import { NotFoundException } from '@nestjs/common';

/** There is no account with this id. */
export class AccountNotFoundException extends NotFoundException {
  constructor(id: string) {
    super(`There is no account ${id}. listAccounts names yours.`);
  }
}
