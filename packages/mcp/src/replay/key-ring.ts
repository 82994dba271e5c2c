import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { InvalidSecretException } from '../exceptions/index.js';

export const KEY_BYTES = 32;
export const KEY_ID_BYTES = 4;

/** A key and the name under which tokens refer to it. */
export interface SealingKey {
  readonly id: Buffer;
  readonly key: KeyObject;
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * The keys of request state: the first seals, all open.
 *
 * 1. The secret itself never encrypts: each purpose has its own key, derived with HKDF-SHA256.
 * 2. A key's id is derived too, and says nothing of the key.
 */
export class KeyRing {
  private constructor(private readonly keys: readonly SealingKey[]) {}

  /** @throws InvalidSecretException when a secret is not 32 bytes in base64 */
  static fromSecret(secret: string | readonly string[]): KeyRing {
    if (!isList(secret)) return new KeyRing([derive(decode(secret, ''))]);
    if (secret.length === 0) throw new InvalidSecretException('', 'is an empty list');
    return new KeyRing(secret.map((text, index) => derive(decode(text, `[${index}]`))));
  }

  /** A key nobody else has; dies with the process. */
  static ephemeral(): KeyRing {
    return new KeyRing([derive(randomBytes(KEY_BYTES))]);
  }

  /** The key that seals. */
  get sealing(): SealingKey {
    return this.keys[0] as SealingKey;
  }

  /** Keys that go by this id; more than one only if two ids collide. */
  named(id: Buffer): readonly SealingKey[] {
    return this.keys.filter((candidate) => candidate.id.equals(id));
  }
}

function isList(secret: string | readonly string[]): secret is readonly string[] {
  return Array.isArray(secret);
}

function decode(text: unknown, which: string): Buffer {
  if (typeof text !== 'string' || !BASE64.test(text)) {
    throw new InvalidSecretException(which, 'must be valid base64');
  }
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES) {
    throw new InvalidSecretException(
      which,
      `must decode to exactly ${KEY_BYTES} bytes (256 bits), got ${bytes.length}`,
    );
  }
  return bytes;
}

function derive(secret: Buffer): SealingKey {
  const bytes = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `dacapo/${purpose}`, length));
  return {
    id: bytes('key-id', KEY_ID_BYTES),
    key: createSecretKey(bytes('request-state', KEY_BYTES)),
  };
}
