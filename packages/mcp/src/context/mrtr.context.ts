import type { Type } from '@nestjs/common';
import type { McpClient, McpExchange } from '../exchange/index.js';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitAction,
  Root,
} from '../protocol/index.js';
import type { Round } from '../replay/index.js';
import type { FormWriter } from '../schema/index.js';
import type { ElicitAnswer } from './elicit-answer.js';
import { elicitAsk } from './elicit-ask.js';
import { elicitUrlAsk } from './elicit-url-ask.js';
import { ExchangeClientLog } from './exchange-client-log.js';
import { ExchangeProgressChannel } from './exchange-progress.channel.js';
import type { McpClientLog } from './mcp-client-log.js';
import type { AskOptions, McpElicitor } from './mcp-elicitor.js';
import type { McpProgressSource } from './mcp-progress-source.js';
import { rootsAsk } from './roots-ask.js';
import { sampleAsk, sampleFeatures } from './sample-ask.js';
import { AbsoluteProgress, CountingProgress, PercentageProgress } from './progress/index.js';

/**
 * What a handler knows of its call, and what it can ask. One context belongs to one round; it works
 * anywhere in the awaited flow of the handler and fails clearly after the handler has settled.
 */
export abstract class MrtrContext implements McpElicitor, McpProgressSource {
  private progressChannel?: ExchangeProgressChannel;
  private clientLog?: McpClientLog;

  /** @internal */
  constructor(
    /** Tool or prompt name, or the uri that is read. */
    readonly handlerName: string,
    private readonly exchange: McpExchange,
    private readonly current: Round,
  ) {}

  /** The number of this pass through the handler, from 1. */
  get round(): number {
    return this.current.round;
  }

  /** The same in every round of a conversation, and in no other. */
  get conversationId(): string {
    return this.current.conversationId;
  }

  /** The client: who it says it is, and what it can do. */
  get client(): McpClient {
    return this.exchange.client;
  }

  /** The caller, as the principal source names it; `null` for nobody. */
  get principal(): string | null {
    return this.exchange.principal;
  }

  /** Aborts when the client goes away: pass it on, and stop. */
  get signal(): AbortSignal {
    return this.exchange.signal;
  }

  /**
   * Log messages for the client, if it asked for them.
   * @deprecated Logging to the client is deprecated in revision 2026-07-28 (SEP-2577), and still
   * functional. Log on the server, with Nest's `Logger` or OpenTelemetry, and tell the user in results
   * and progress.
   */
  get log(): McpClientLog {
    return (this.clientLog ??= new ExchangeClientLog(this.exchange, this.current.execution));
  }

  elicit<C extends object>(
    message: string,
    form: FormWriter<C> | Type<C>,
    options: AskOptions = {},
  ): Promise<ElicitAnswer<C>> {
    return this.current.execution.ask(() => {
      this.client.require('elicitation.form');
      return elicitAsk(message, form, options);
    });
  }

  elicitUrl(
    message: string,
    url: string,
    options: AskOptions = {},
  ): Promise<{ readonly action: ElicitAction }> {
    return this.current.execution.ask(() => {
      this.client.require('elicitation.url');
      return elicitUrlAsk(message, url, options);
    });
  }

  /**
   * Has the client's model complete messages: see {@link McpElicitor.sample}.
   *
   * @deprecated Sampling is deprecated in revision 2026-07-28 (SEP-2577), and still functional; revisions
   * from 2027-07-28 on may remove it. Call the API of a model provider from the server instead.
   */
  sample(
    params: CreateMessageRequestParams,
    options: AskOptions = {},
  ): Promise<CreateMessageResult> {
    return this.current.execution.ask(() => {
      this.client.require(...sampleFeatures(params));
      return sampleAsk(params, options);
    });
  }

  /**
   * Lists the folders the client lets the server work on: see {@link McpElicitor.listRoots}.
   *
   * @deprecated Roots are deprecated in revision 2026-07-28 (SEP-2577), and still functional; revisions
   * from 2027-07-28 on may remove them. Take folders and files as arguments, as resources, or from the
   * server's configuration instead.
   */
  listRoots(options: AskOptions = {}): Promise<readonly Root[]> {
    return this.current.execution.ask(() => {
      this.client.require('roots');
      return rootsAsk(options);
    });
  }

  countingProgress(total?: number): CountingProgress {
    return new CountingProgress(this.channel, total);
  }

  absoluteProgress(total?: number): AbsoluteProgress {
    return new AbsoluteProgress(this.channel, total);
  }

  percentageProgress(): PercentageProgress {
    return new PercentageProgress(this.channel);
  }

  private get channel(): ExchangeProgressChannel {
    return (this.progressChannel ??= new ExchangeProgressChannel(
      this.exchange,
      this.current.execution,
    ));
  }
}
