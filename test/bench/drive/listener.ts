import { type ClientRequest, request } from 'node:http';
import type { WireRequest } from '../wire.js';

/** An open stream that waits for words. */
export class Listener {
  private waiting?: { readonly word: string; readonly heard: () => void } | undefined;
  private sent?: ClientRequest;

  /** Opens the stream, and resolves when a word has come. */
  open(url: string, { headers, body }: WireRequest, word: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting = { word, heard: resolve };
      this.sent = request(url, { method: 'POST', agent: false, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode}`));
        response.on('error', () => undefined);
        response.on('data', (chunk: Buffer) => this.take(chunk));
      });
      this.sent.once('error', reject);
      this.sent.end(body);
    });
  }

  /** Resolves when a word has come. */
  hear(word: string): Promise<void> {
    return new Promise((heard) => {
      this.waiting = { word, heard };
    });
  }

  close(): void {
    this.sent?.destroy();
  }

  private take(chunk: Buffer): void {
    if (this.waiting === undefined || !chunk.includes(this.waiting.word)) return;
    const { heard } = this.waiting;
    this.waiting = undefined;
    heard();
  }
}
