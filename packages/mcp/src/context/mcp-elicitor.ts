import type { Type } from '@nestjs/common';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitAction,
  Root,
} from '../protocol/index.js';
import type { FormWriter } from '../schema/index.js';
import type { ElicitAnswer } from './elicit-answer.js';

/** How a question is asked. */
export interface AskOptions {
  /**
   * A name for the question: 1 to 64 letters, digits, `_`, `.` or `-`. Named questions keep their
   * answer when others are asked before them, and when their wording changes: of a form only what may
   * be answered counts, not its message, titles and descriptions. Unnamed ones are counted by kind
   * (`elicit-1`, `elicit-2`, `sample-1`, `roots-1`), and every word of them counts.
   */
  key?: string;
}

/** How a question is asked without which the call cannot go on. */
export interface NeededAskOptions extends AskOptions {
  /** What the caller reads when the user declines or cancels; by default that they did, and what was asked. */
  otherwise?: string;
}

/**
 * Asks the client: its user, its model, its roots. Inject it in a handler with `@McpElicit()`, or in
 * the constructor of any service that handlers call.
 *
 * Every question rejects with a suspension signal, which must pass, in the round that first reaches
 * it; in later rounds it returns the recorded answer. Questions of any kind that are asked together
 * (`Promise.all`) travel together.
 */
export abstract class McpElicitor {
  /**
   * Asks the user to fill in a form and resolves with what became of it.
   *
   * @param message what the user reads; never ask for secrets
   * @param form a flat form, written with the builder or as a class-validator DTO
   * @throws MissingClientCapabilityException when the client cannot show forms
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
   */
  abstract elicit<C extends object>(
    message: string,
    form: FormWriter<C> | Type<C>,
    options?: AskOptions,
  ): Promise<ElicitAnswer<C>>;

  /**
   * Asks the user to fill in a form, and resolves with its content. When the user declines or cancels,
   * the call ends: a tool with `otherwise` as its result, a prompt or resource with an error of code 422.
   *
   * @throws CallEndedException when the user does not answer; let it pass
   * @throws MissingClientCapabilityException when the client cannot show forms
   */
  abstract ask<C extends object>(
    message: string,
    form: FormWriter<C> | Type<C>,
    options?: NeededAskOptions,
  ): Promise<C>;

  /**
   * Asks the user to confirm. `true` only when the user has ticked the box and accepted; declining and
   * cancelling are `false`.
   *
   * @param message what happens if the user says yes
   * @throws MissingClientCapabilityException when the client cannot show forms
   */
  abstract confirm(message: string, options?: AskOptions): Promise<boolean>;

  /**
   * Sends the user to a page, for secrets and for the consent of third parties: what is entered
   * there does not pass through the client. `accept` means that the user agreed to go, not that
   * anything was done there: look it up on the server, where the page has left it.
   *
   * @param url https (http on loopback only), without credentials; the page must make sure that who
   * opens it is who was asked
   * @throws MissingClientCapabilityException when the client cannot open pages
   * @throws InvalidAskException when the url is not to be shown to a user
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
   */
  abstract elicitUrl(
    message: string,
    url: string,
    options?: AskOptions,
  ): Promise<{ readonly action: ElicitAction }>;

  /**
   * Has the client's model complete messages.
   *
   * A tool loop is a loop of the handler: append the answer and the results of the tools it used, and
   * ask again.
   *
   * @throws MissingClientCapabilityException when the client does not sample, or not with tools or
   * context if those are asked for
   * @throws InvalidAskException without messages or tokens, or when tool results do not match uses
   * @deprecated Sampling is deprecated in revision 2026-07-28 (SEP-2577), and still functional; revisions
   * from 2027-07-28 on may remove it. Call the API of a model provider from the server instead.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
   */
  abstract sample(
    params: CreateMessageRequestParams,
    options?: AskOptions,
  ): Promise<CreateMessageResult>;

  /**
   * Lists the folders the client lets the server work on, by their `file:` uris. They say what is
   * meant, not what is allowed: hold paths against the server's own rules as well.
   *
   * @throws MissingClientCapabilityException when the client has no roots
   * @deprecated Roots are deprecated in revision 2026-07-28 (SEP-2577), and still functional; revisions
   * from 2027-07-28 on may remove them. Take folders and files as arguments, as resources, or from the
   * server's configuration instead.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots
   */
  abstract listRoots(options?: AskOptions): Promise<readonly Root[]>;
}
