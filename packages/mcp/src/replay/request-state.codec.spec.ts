import { randomBytes } from 'node:crypto';
import { type RequestStateRejectedException } from '../exceptions/index.js';
import { KeyRing } from './key-ring.js';
import { RequestStateCodec } from './request-state.codec.js';
import type { RequestState } from './request-state.js';

const secret = randomBytes(32).toString('base64');
const codec = new RequestStateCodec(KeyRing.fromSecret(secret), 'bank');

const state: RequestState = {
  conversationId: 'c-1',
  round: 2,
  startedAt: 1_000,
  issuedAt: 2_000,
  principal: 'ada',
  method: 'tools/call',
  target: 'transfer',
  argumentsDigest: 'digest',
  entries: [
    {
      key: 'elicit-1',
      kind: 'elicit',
      fingerprint: 'print',
      label: 'How much?',
      outcome: { action: 'accept', content: { amount: 5, note: 'für Ä' } },
    },
  ],
};

function reasonOf(token: string, by: RequestStateCodec = codec): string {
  try {
    by.open(token);
    return 'opened';
  } catch (error) {
    return (error as RequestStateRejectedException).reason;
  }
}

/** The token with one bit of one byte turned. */
function flip(token: string, index: number): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes[index] = (bytes[index] as number) ^ 1;
  return bytes.toString('base64url');
}

describe('RequestStateCodec', () => {
  it('opens what it sealed', () => {
    expect(codec.open(codec.seal(state))).toEqual(state);
  });

  it('shows nothing of the state, and seals the same state differently each time', () => {
    const token = codec.seal(state);
    const bytes = Buffer.from(token, 'base64url').toString('latin1');
    for (const word of ['ada', 'transfer', 'amount', 'elicit']) expect(bytes).not.toContain(word);
    expect(codec.seal(state)).not.toBe(token);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it.each([
    ['format version', 0, 'state_malformed'],
    ['key id, first byte', 1, 'state_tampered'],
    ['key id, last byte', 4, 'state_tampered'],
    ['nonce, first byte', 5, 'state_tampered'],
    ['nonce, last byte', 16, 'state_tampered'],
    ['ciphertext, first byte', 17, 'state_tampered'],
    ['ciphertext, last byte', -17, 'state_tampered'],
    ['tag, first byte', -16, 'state_tampered'],
    ['tag, last byte', -1, 'state_tampered'],
  ])('refuses a token with a turned bit in its %s', (_, index, reason) => {
    const token = codec.seal(state);
    const length = Buffer.from(token, 'base64url').length;
    expect(reasonOf(flip(token, index < 0 ? length + index : index))).toBe(reason);
  });

  it('refuses a turned bit in any byte', () => {
    const token = codec.seal(state);
    const { length } = Buffer.from(token, 'base64url');
    for (let index = 0; index < length; index += 1) {
      expect(reasonOf(flip(token, index))).toMatch(/^state_(?:malformed|tampered)$/);
    }
  });

  it.each([
    ['is empty', ''],
    ['is not base64url', 'not a token!'],
    ['has something appended', `${codec.seal(state)}-TAMPERED`],
    ['is spelled in base64', `${codec.seal(state)}=`],
    ['is shorter than its own frame', Buffer.alloc(32, 1).toString('base64url')],
  ])('refuses a token that %s', (_, token) => {
    expect(reasonOf(token)).toMatch(/^state_(?:malformed|tampered)$/);
  });

  it('refuses another spelling of the same bytes', () => {
    // 33 bytes more than a multiple of three leave unused bits in the last character.
    const token = codec.seal({ ...state, target: 'x' });
    const padded = [
      token,
      codec.seal({ ...state, target: 'xx' }),
      codec.seal({ ...state, target: 'xxx' }),
    ].find((candidate) => candidate.length % 4 !== 0) as string;
    const last = padded.at(-1) as string;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const other = alphabet[alphabet.indexOf(last) ^ 1] as string;
    expect(reasonOf(padded.slice(0, -1) + other)).toBe('state_malformed');
  });

  it('refuses a truncated token', () => {
    const token = codec.seal(state);
    for (const length of [token.length - 4, token.length >> 1, 44, 4]) {
      expect(reasonOf(token.slice(0, length))).toMatch(/^state_(?:malformed|tampered)$/);
    }
  });

  it('refuses a token of another key', () => {
    const other = new RequestStateCodec(KeyRing.ephemeral(), 'bank');
    expect(reasonOf(other.seal(state))).toBe('state_tampered');
  });

  it('refuses a token of another server that shares the key', () => {
    const other = new RequestStateCodec(KeyRing.fromSecret(secret), 'shop');
    expect(reasonOf(other.seal(state))).toBe('state_tampered');
  });

  it('opens tokens of an older key while it is on the ring, and seals with the new one', () => {
    const newer = randomBytes(32).toString('base64');
    const rotated = new RequestStateCodec(KeyRing.fromSecret([newer, secret]), 'bank');
    const onlyNew = new RequestStateCodec(KeyRing.fromSecret(newer), 'bank');
    expect(rotated.open(codec.seal(state))).toEqual(state);
    expect(onlyNew.open(rotated.seal(state))).toEqual(state);
    expect(reasonOf(rotated.seal(state))).toBe('state_tampered');
    expect(reasonOf(codec.seal(state), onlyNew)).toBe('state_tampered');
  });

  it.each([[null], [[]], [{ entries: 'none' }]])(
    'refuses %j, which a release of another shape may have sealed',
    (strange) => {
      expect(reasonOf(codec.seal(strange as unknown as RequestState))).toBe('state_malformed');
    },
  );

  it('tells what to do about it', () => {
    expect(() => codec.open('x')).toThrow(/Echo it exactly as it came/);
  });
});
