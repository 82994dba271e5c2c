import { McpArgs, McpContext, McpPrincipal, McpTool, McpToolContext } from '@dacapo/mcp';
import { McpTask } from '@dacapo/tasks';
import { Injectable, UseGuards } from '@nestjs/common';
import { AuthenticatedGuard } from '../auth/authenticated.guard.js';
import { ImportAccountsDto } from './dto/import-accounts.dto.js';
import { ImportReportDto } from './dto/import-report.dto.js';
import type { SkippedRowDto } from './dto/skipped-row.dto.js';
import { numbered, planImport } from './import-plan.js';
import { ImportsService } from './imports.service.js';

/** What a crash can cost: one batch, which is done again. */
const BATCH_ROWS = 10;
/** How many rows a question names. */
const NAMED_ROWS = 5;
const POLL_MS = 500;

/** Opens the accounts of a list for the caller, whom the guard makes sure to be somebody. */
@Injectable()
@UseGuards(AuthenticatedGuard)
export class ImportsTools {
  constructor(private readonly imports: ImportsService) {}

  /**
   * A task for clients that know tasks, a plain call for others. After the question, and after a crash,
   * this method is played again from the top: what is found and done stands in steps.
   */
  @McpTask({ pollIntervalMs: POLL_MS })
  @McpTool({
    title: 'Import accounts',
    description: 'Opens an account for each row. Asks what to do where an address is taken.',
    output: ImportReportDto,
  })
  async importAccounts(
    @McpArgs() args: ImportAccountsDto,
    @McpContext() ctx: McpToolContext,
    @McpPrincipal() owner: string,
  ): Promise<ImportReportDto> {
    const rows = numbered(args.rows);
    // Others open accounts meanwhile: when the question is answered it must be about the same rows.
    const known = await ctx.step('check', ({ signal }) => this.imports.findTaken(rows, signal));
    const { free, taken } = planImport(rows, known);
    const batches = cut(free, BATCH_ROWS);
    const progress = ctx.countingProgress(1 + batches.length);
    progress.next(`${rows.length} rows checked`);
    const report: ImportReportDto = { stopped: false, opened: [], skipped: [...taken] };
    const isMixed = taken.length > 0 && free.length > 0;
    report.stopped = isMixed && !(await skips(ctx, taken, rows.length));
    if (report.stopped) return report;

    for (const batch of batches) {
      ctx.signal.throwIfAborted();
      const { opened, skipped } = await ctx.step('open', ({ idempotencyKey, signal }) =>
        this.imports.open({ rows: batch, owner, idempotencyKey, signal }),
      );
      report.opened.push(...opened);
      report.skipped.push(...skipped);
      progress.next(`${report.opened.length} of ${free.length} accounts opened`);
    }
    return report;
  }
}

/** Asks whether the others are to be opened. Whoever does not say so wants nothing opened. */
async function skips(
  ctx: McpToolContext,
  taken: readonly SkippedRowDto[],
  total: number,
): Promise<boolean> {
  const named = taken.slice(0, NAMED_ROWS).map(({ row, email }) => `row ${row} (${email})`);
  const rest = taken.length - named.length;
  const list = rest === 0 ? named : [...named, `${rest} more`];
  const answer = await ctx.elicit(
    `The address is taken in ${taken.length} of ${total} rows: ${list.join(', ')}. What about them?`,
    (form) =>
      form.choice(
        'taken',
        [
          { value: 'skip', title: 'Skip them, and open the others' },
          { value: 'stop', title: 'Stop, and open nothing' },
        ],
        { title: 'Rows whose address is taken', default: 'skip' },
      ),
    { key: 'taken' },
  );
  return answer.action === 'accept' && answer.content.taken === 'skip';
}

function cut<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
