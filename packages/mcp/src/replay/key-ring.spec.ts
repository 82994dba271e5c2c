import { randomBytes } from 'node:crypto';
import { InvalidSecretException } from '../exceptions/index.js';
import { KEY_ID_BYTES, KeyRing } from './key-ring.js';

const secret = (): string => randomBytes(32).toString('base64');

describe('KeyRing', () => {
  it('derives the same key from the same secret, in base64 or base64url', () => {
    const bytes = randomBytes(32);
    const a = KeyRing.fromSecret(bytes.toString('base64')).sealing;
    const b = KeyRing.fromSecret(bytes.toString('base64url')).sealing;
    expect(a.id.equals(b.id)).toBe(true);
    expect(a.key.equals(b.key)).toBe(true);
  });

  it('never encrypts with the secret itself, nor shows it in the id', () => {
    const bytes = randomBytes(32);
    const { id, key } = KeyRing.fromSecret(bytes.toString('base64')).sealing;
    expect(key.export().equals(bytes)).toBe(false);
    expect(id).toHaveLength(KEY_ID_BYTES);
    expect(bytes.includes(id)).toBe(false);
  });

  it('seals with the first of a list and knows all by name', () => {
    const [first, second] = [secret(), secret()];
    const ring = KeyRing.fromSecret([first, second]);
    const older = KeyRing.fromSecret(second).sealing;
    expect(ring.sealing.id.equals(KeyRing.fromSecret(first).sealing.id)).toBe(true);
    expect(ring.named(older.id)).toHaveLength(1);
    expect(ring.named(Buffer.alloc(KEY_ID_BYTES))).toHaveLength(0);
  });

  it('makes another ephemeral key each time', () => {
    expect(KeyRing.ephemeral().sealing.key.equals(KeyRing.ephemeral().sealing.key)).toBe(false);
  });

  it.each([
    ['is not base64', '!!!!', /^replay\.secret must be valid base64/],
    ['is empty', '', /must be valid base64/],
    ['has 31 bytes', randomBytes(31).toString('base64'), /exactly 32 bytes \(256 bits\), got 31/],
    ['has 33 bytes', randomBytes(33).toString('base64'), /got 33/],
    ['is no text', 42 as unknown as string, /must be valid base64/],
    ['is an empty list', [], /is an empty list/],
    ['has a bad member', [secret(), 'x'], /^replay\.secret\[1\] must decode to exactly 32 bytes/],
  ])('refuses a secret that %s, and says how to make one', (_, bad, message) => {
    const make = (): KeyRing => KeyRing.fromSecret(bad);
    expect(make).toThrow(InvalidSecretException);
    expect(make).toThrow(message);
    expect(make).toThrow(/Give 32 random bytes in base64/);
  });

  it('does not repeat a bad secret in its complaint', () => {
    expect(() => KeyRing.fromSecret('c2VjcmV0LXdvcmQ=')).toThrow(
      expect.objectContaining({
        message: expect.not.stringContaining('c2VjcmV0') as string,
      }) as Error,
    );
  });
});
