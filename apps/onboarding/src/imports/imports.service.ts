import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { EmailTakenException } from '../accounts/exceptions/email-taken.exception.js';
import type { SkippedRowDto } from './dto/skipped-row.dto.js';
import { type NumberedRow, TAKEN } from './import-plan.js';

/** Some rows that are opened in one go. */
export interface Batch {
  readonly rows: readonly NumberedRow[];
  readonly owner: string;
  /** The same when the batch comes again. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/** What a batch has brought. */
export interface BatchOutcome {
  /** Ids of accounts. */
  readonly opened: readonly string[];
  readonly skipped: readonly SkippedRowDto[];
}

/** Looks at lists of accounts, and opens them. */
@Injectable()
export class ImportsService {
  constructor(private readonly accounts: AccountsService) {}

  /** The numbers of the rows whose address has an open account. */
  async findTaken(rows: readonly NumberedRow[], signal: AbortSignal): Promise<number[]> {
    const taken: number[] = [];
    for (const { row, email } of rows) {
      signal.throwIfAborted();
      if (!(await this.accounts.isEmailFree(email))) taken.push(row);
    }
    return taken;
  }

  /**
   * Opens the accounts of a batch. One that comes again, since whoever was at it has died, finds the
   * accounts that it has opened, and opens the rest.
   */
  async open({ rows, owner, idempotencyKey, signal }: Batch): Promise<BatchOutcome> {
    const opened: string[] = [];
    const skipped: SkippedRowDto[] = [];
    for (const { row, holder, email, plan } of rows) {
      signal.throwIfAborted();
      const account = { owner, holder, email, plan, billing: 'monthly', seats: 1 } as const;
      try {
        const { id } = await this.accounts.open(account, `${idempotencyKey}:${row}`);
        opened.push(id);
      } catch (error) {
        // Somebody may have been faster since the row was checked.
        if (!(error instanceof EmailTakenException)) throw error;
        skipped.push({ row, email, reason: TAKEN });
      }
    }
    return { opened, skipped };
  }
}
