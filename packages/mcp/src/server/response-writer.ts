import { resultText } from '../features/lists/kept-text.js';
import { type Implementation, MetaKey, type RequestId, type Result } from '../protocol/index.js';

/**
 * Writes responses, with the server's identity in each. Results that have no `_meta` of their own, most
 * of them, get it as text behind theirs: nothing is copied, and what is the same every time is written
 * once.
 */
export class ResponseWriter {
  private readonly meta: string;

  constructor(private readonly serverInfo: Implementation) {
    this.meta = `"_meta":${JSON.stringify({ [MetaKey.ServerInfo]: serverInfo })}}}`;
  }

  /** @throws what JSON cannot hold: a handler may have returned anything */
  write(id: RequestId, result: Result): string {
    if (result._meta !== undefined) return this.merged(id, result);
    const text = resultText(result);
    const members = text === '{}' ? '{' : `${text.slice(0, -1)},`;
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${members}${this.meta}`;
  }

  private merged(id: RequestId, result: Result): string {
    const _meta = { [MetaKey.ServerInfo]: this.serverInfo, ...result._meta };
    return JSON.stringify({ jsonrpc: '2.0', id, result: { ...result, _meta } });
  }
}
