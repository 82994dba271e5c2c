import { Injectable } from '@nestjs/common';
import type { Account, NewAccount } from './account.js';
import { AccountStore } from './account-store.js';
import { AccountClosedException } from './exceptions/account-closed.exception.js';
import { AccountNotFoundException } from './exceptions/account-not-found.exception.js';
import { EmailTakenException } from './exceptions/email-taken.exception.js';

/** Keeps accounts for as long as the process runs. */
@Injectable()
export class InMemoryAccountStore extends AccountStore {
  private readonly accounts = new Map<string, Account>();
  /** Which account a key has opened. */
  private readonly opened = new Map<string, Account>();

  override add(account: NewAccount, idempotencyKey?: string): Promise<Account> {
    return settle(() => {
      const before = idempotencyKey === undefined ? undefined : this.opened.get(idempotencyKey);
      if (before !== undefined) return before;
      if (this.openByEmail(account.email) !== undefined) {
        throw new EmailTakenException(account.email);
      }
      const id = `acc-${this.accounts.size + 1}`;
      const added = this.keep({ ...account, id, openedAt: new Date() });
      if (idempotencyKey !== undefined) this.opened.set(idempotencyKey, added);
      return added;
    });
  }

  override find(id: string): Promise<Account | undefined> {
    return settle(() => this.accounts.get(id));
  }

  override findOpenByEmail(email: string): Promise<Account | undefined> {
    return settle(() => this.openByEmail(email));
  }

  override findByOwner(owner: string): Promise<readonly Account[]> {
    return settle(() => this.all().filter((account) => account.owner === owner));
  }

  override close(id: string): Promise<Account> {
    return settle(() => {
      const account = this.accounts.get(id);
      if (account === undefined) throw new AccountNotFoundException(id);
      if (account.closedAt !== undefined) throw new AccountClosedException(id);
      return this.keep({ ...account, closedAt: new Date() });
    });
  }

  private all(): Account[] {
    return [...this.accounts.values()];
  }

  private openByEmail(email: string): Account | undefined {
    const wanted = email.toLowerCase();
    return this.all().find(
      (account) => account.closedAt === undefined && account.email.toLowerCase() === wanted,
    );
  }

  private keep(account: Account): Account {
    this.accounts.set(account.id, account);
    return account;
  }
}

/** Runs work at once, so that nothing comes between its check and its change. */
function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}
