import { Injectable } from '@nestjs/common';
import type { Account, NewAccount } from './account.js';
import { AccountStore } from './account-store.js';
import { AccountClosedException } from './exceptions/account-closed.exception.js';
import { AccountNotFoundException } from './exceptions/account-not-found.exception.js';
import { EmailTakenException } from './exceptions/email-taken.exception.js';

/** What can be done with accounts, whoever asks for it. */
@Injectable()
export class AccountsService {
  constructor(private readonly store: AccountStore) {}

  /**
   * @param idempotencyKey for whoever may have to try again: it opens one account, however often it comes
   * @throws EmailTakenException
   */
  open(account: NewAccount, idempotencyKey?: string): Promise<Account> {
    return this.store.add(account, idempotencyKey);
  }

  /** @throws AccountNotFoundException | AccountClosedException */
  close(id: string): Promise<Account> {
    return this.store.close(id);
  }

  /** @throws AccountNotFoundException */
  async get(id: string): Promise<Account> {
    const account = await this.store.find(id);
    if (account === undefined) throw new AccountNotFoundException(id);
    return account;
  }

  /** @throws AccountNotFoundException | AccountClosedException */
  async getOpen(id: string): Promise<Account> {
    const account = await this.get(id);
    if (account.closedAt !== undefined) throw new AccountClosedException(id);
    return account;
  }

  ownedBy(owner: string): Promise<readonly Account[]> {
    return this.store.findByOwner(owner);
  }

  async isOwner(owner: string, id: string): Promise<boolean> {
    return (await this.store.find(id))?.owner === owner;
  }

  async isEmailFree(email: string): Promise<boolean> {
    return (await this.store.findOpenByEmail(email)) === undefined;
  }

  /** @throws EmailTakenException */
  async assertEmailFree(email: string): Promise<void> {
    if (!(await this.isEmailFree(email))) throw new EmailTakenException(email);
  }
}
