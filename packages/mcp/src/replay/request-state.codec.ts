import { createCipheriv, createDecipheriv } from 'node:crypto';
import { RequestStateRejectedException } from '../exceptions/index.js';
import { isJsonObject, PROTOCOL_VERSION } from '../protocol/index.js';
import { KEY_ID_BYTES, type KeyRing, type SealingKey } from './key-ring.js';
import { Nonces } from './nonces.js';
import type { RequestState } from './request-state.js';

const FORMAT_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const OVERHEAD_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

/**
 * Seals a conversation into a token and opens it again.
 *
 * Layout, before base64url: format version (1 byte) · key id (4) · nonce (12) · ciphertext · tag (16).
 *
 * 1. AES-256-GCM with a fresh random nonce for every token.
 * 2. Version and key id are authenticated, with the server's name and the protocol revision: a token
 *    of another server that shares the key, or of another revision, does not open.
 * 3. No compression: answers are chosen by the client and state may be secret, so length would tell.
 * 4. Exactly one text stands for a token: any other spelling of the same bytes is refused.
 */
export class RequestStateCodec {
  private readonly associatedData: Buffer;
  private readonly nonces = new Nonces(NONCE_BYTES);

  constructor(
    private readonly keys: KeyRing,
    serverName: string,
  ) {
    this.associatedData = Buffer.from(
      JSON.stringify(['dacapo/request-state', serverName, PROTOCOL_VERSION]),
    );
  }

  seal(state: RequestState): string {
    const { id, key } = this.keys.sealing;
    const header = Buffer.concat([Buffer.of(FORMAT_VERSION), id]);
    const nonce = this.nonces.take();
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.concat([header, this.associatedData]));
    const sealed = cipher.update(JSON.stringify(state), 'utf8');
    const rest = cipher.final();
    return Buffer.concat([header, nonce, sealed, rest, cipher.getAuthTag()]).toString('base64url');
  }

  /** @throws RequestStateRejectedException `state_malformed` or `state_tampered` */
  open(token: string): RequestState {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.toString('base64url') !== token) throw malformed('is not base64url');
    if (bytes.length < OVERHEAD_BYTES) throw malformed('is too short');
    if (bytes[0] !== FORMAT_VERSION) throw malformed('has an unknown format version');
    for (const { key } of this.keys.named(bytes.subarray(1, HEADER_BYTES))) {
      const text = this.decrypt(bytes, key);
      if (text !== undefined) return parse(text);
    }
    throw new RequestStateRejectedException(
      'state_tampered',
      'requestState failed authentication: it was changed, or sealed by another server or under a key this server does not hold. ' +
        'Start the call anew without requestState.',
    );
  }

  private decrypt(bytes: Buffer, key: SealingKey['key']): string | undefined {
    const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.concat([bytes.subarray(0, HEADER_BYTES), this.associatedData]));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const sealed = bytes.subarray(HEADER_BYTES + NONCE_BYTES, bytes.length - TAG_BYTES);
    try {
      return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}

function parse(text: string): RequestState {
  const state: unknown = JSON.parse(text);
  if (!isJsonObject(state) || !Array.isArray(state['entries'])) {
    throw malformed('was sealed by an incompatible release');
  }
  return state as unknown as RequestState;
}

function malformed(fact: string): RequestStateRejectedException {
  return new RequestStateRejectedException(
    'state_malformed',
    `requestState ${fact}. Echo it exactly as it came, or start the call anew without it.`,
  );
}
