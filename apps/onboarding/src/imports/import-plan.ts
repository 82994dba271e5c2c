import type { ImportRowDto } from './dto/import-row.dto.js';
import type { SkippedRowDto } from './dto/skipped-row.dto.js';

/** Why a row is skipped whose address has an open account. */
export const TAKEN = 'There is an open account for this address already.';

/** A row with its number, from 1. */
export interface NumberedRow extends ImportRowDto {
  readonly row: number;
}

/** What is to be done with the rows of an import. */
export interface ImportPlan {
  readonly free: readonly NumberedRow[];
  /** Whose address has an account, or stands in an earlier row. */
  readonly taken: readonly SkippedRowDto[];
}

export function numbered(rows: readonly ImportRowDto[]): NumberedRow[] {
  return rows.map(({ holder, email, plan }, index) => ({ row: index + 1, holder, email, plan }));
}

/**
 * Sorts the rows. Given the same it plans the same, so nothing but the numbers has to be recorded.
 * @param known the numbers of the rows whose address has an account
 */
export function planImport(rows: readonly NumberedRow[], known: readonly number[]): ImportPlan {
  const free: NumberedRow[] = [];
  const taken: SkippedRowDto[] = [];
  const seen = new Map<string, number>();
  for (const candidate of rows) {
    const { row, email } = candidate;
    const first = seen.get(email.toLowerCase());
    if (first === undefined) seen.set(email.toLowerCase(), row);
    if (known.includes(row)) taken.push({ row, email, reason: TAKEN });
    else if (first === undefined) free.push(candidate);
    else taken.push({ row, email, reason: `Row ${first} has this address already.` });
  }
  return { free, taken };
}
