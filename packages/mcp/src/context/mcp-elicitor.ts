import type { Type } from '@nestjs/common';
import type { FormWriter } from '../schema/index.js';
import type { ElicitAnswer } from './elicit-answer.js';

export interface ElicitOptions {
  /**
   * A name for the question: 1 to 64 letters, digits, `_`, `.` or `-`. Named questions keep their
   * answer when others are asked before them; unnamed ones are counted (`elicit-1`, `elicit-2`).
   */
  key?: string;
}

/**
 * Asks the user. Inject it in a handler with `@McpElicit()`, or in the constructor of any service
 * that handlers call.
 */
export abstract class McpElicitor {
  /**
   * Asks the user to fill in a form and resolves with what became of it. In the round that first
   * reaches the question it rejects with a suspension signal, which must pass; in later rounds it
   * returns the recorded answer. Questions asked together (`Promise.all`) travel together.
   *
   * @param message what the user reads; never ask for secrets
   * @param form a flat form, written with the builder or as a class-validator DTO
   * @throws MissingClientCapabilityException when the client cannot show forms
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
   */
  abstract elicit<C extends object>(
    message: string,
    form: FormWriter<C> | Type<C>,
    options?: ElicitOptions,
  ): Promise<ElicitAnswer<C>>;
}
