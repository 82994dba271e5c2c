/** What is wrong, in words that may be logged: a fact and its mend. */
export interface RedisTrouble {
  readonly fact: string;
  readonly mend: string;
}

/** The longest part of an answer of Redis that is told, in characters. */
const MAX_REPLY_LENGTH = 200;

const UNREACHABLE_MEND =
  'Start it, or mend the address it is looked for at; calls work again as soon as it is back';

/** Mends of what Redis answers, by the first word of the answer. */
const REPLY_MENDS: Readonly<Record<string, string>> = {
  NOAUTH: 'Give the connection a user and a password',
  WRONGPASS: 'Give the connection a user and a password that Redis knows',
  NOPERM: 'Allow the user of the connection what is used: see docs/guide/redis.md',
  OOM: 'Give Redis more memory, or shorten what is kept there; do not let it evict',
  READONLY: 'Connect to the primary, not to a replica',
  LOADING: 'Wait until Redis has loaded its data',
  MASTERDOWN: 'Connect to the primary, not to a replica',
  MISCONF: 'Make room where Redis writes its data down',
  MOVED: 'Connect to one Redis: a Redis Cluster is not supported',
};

/**
 * Tells what an error of ioredis says. Nothing of its own words is taken over that may hold a password,
 * or what a command was given.
 */
export function troubleOf(error: unknown): RedisTrouble {
  const { name = 'for no reason', message = '', code } = asError(error);
  if (name === 'ReplyError') return refused(message);
  if (code !== undefined) return { fact: `cannot be reached (${code})`, mend: UNREACHABLE_MEND };
  if (message === 'Connection is closed.') {
    return {
      fact: 'was not asked, since the connection is closed',
      mend: 'Ask before the application has shut down, and open the connection again if you closed it',
    };
  }
  return { fact: `cannot be reached (${name})`, mend: UNREACHABLE_MEND };
}

/** What has happened when Redis has been silent. */
export function silentFor(ms: number): RedisTrouble {
  return {
    fact: `has not answered within ${ms} ms`,
    mend: 'See that it runs, is reachable and not overloaded; calls work again as soon as it answers',
  };
}

function refused(message: string): RedisTrouble {
  // Of a command it does not know, Redis repeats the arguments.
  const [told = ''] = message.split(/,? with args beginning with/);
  const [code = ''] = told.split(' ');
  return {
    fact: `has refused: ${told.slice(0, MAX_REPLY_LENGTH).replace(/\.$/, '')}`,
    mend: REPLY_MENDS[code] ?? 'Look it up in the documentation of Redis',
  };
}

function asError(error: unknown): { name?: string; message?: string; code?: string } {
  return typeof error === 'object' && error !== null ? error : {};
}
