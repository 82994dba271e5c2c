import type { Account, NewAccount } from './account.js';

/** Where accounts are kept. Provide a class of your own to keep them elsewhere. */
export abstract class AccountStore {
  /**
   * Keeps an account under a new id.
   * @param idempotencyKey names this very wish: when it comes again, the account that it has opened is
   * returned, and none is added
   * @throws EmailTakenException when an open account has the address
   */
  abstract add(account: NewAccount, idempotencyKey?: string): Promise<Account>;

  abstract find(id: string): Promise<Account | undefined>;

  /** The open account with an address, whatever its case. */
  abstract findOpenByEmail(email: string): Promise<Account | undefined>;

  /** The accounts of a principal, closed ones too, in the order they were opened. */
  abstract findByOwner(owner: string): Promise<readonly Account[]>;

  /**
   * Marks an account closed.
   * @throws AccountClosedException when it is closed already
   */
  abstract close(id: string): Promise<Account>;
}
