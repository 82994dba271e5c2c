import { isJsonObject } from '../protocol/index.js';

/** What is wrong with metadata, and how to mend it; both without a full stop. */
export interface MetadataFault {
  readonly fact: string;
  readonly mend: string;
}

const SIZES = /^(?:any|[1-9]\d*x[1-9]\d*)$/;

/**
 * What is wrong with a list of icons; `undefined` when nothing is.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#icons
 */
export function iconsFault(icons: unknown): MetadataFault | undefined {
  if (!Array.isArray(icons)) return { fact: 'its icons are no list', mend: 'Give a list of icons' };
  for (const icon of icons as readonly unknown[]) {
    const fault = iconFault(icon);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function iconFault(icon: unknown): MetadataFault | undefined {
  if (!isJsonObject(icon) || typeof icon['src'] !== 'string') {
    return { fact: 'an icon has no src', mend: 'Give it an https: or data: URI' };
  }
  const { src, mimeType, sizes, theme } = icon;
  const { protocol } = URL.canParse(src) ? new URL(src) : { protocol: '' };
  if (protocol !== 'https:' && protocol !== 'data:') {
    return {
      fact: `the src of an icon is ${shorten(src)}, which clients must not show`,
      mend: 'Give an https: or data: URI',
    };
  }
  if (mimeType !== undefined && typeof mimeType !== 'string') {
    return { fact: 'the mimeType of an icon is no text', mend: 'Give one such as "image/png"' };
  }
  if (sizes !== undefined && !isListOf(sizes, (size) => SIZES.test(String(size)))) {
    return {
      fact: `the sizes of an icon are ${shorten(sizes)}`,
      mend: 'Give a list of sizes such as "48x48", or "any"',
    };
  }
  return theme === undefined || theme === 'light' || theme === 'dark'
    ? undefined
    : { fact: `the theme of an icon is ${shorten(theme)}`, mend: 'Use "light" or "dark"' };
}

/**
 * Annotations of content and resources.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#annotations
 */
export function annotationsFault(annotations: unknown): MetadataFault | undefined {
  if (!isJsonObject(annotations)) return NO_ANNOTATIONS;
  const { audience, priority, lastModified } = annotations;
  if (audience !== undefined && !isListOf(audience, isRole)) {
    return {
      fact: `its audience is ${shorten(audience)}`,
      mend: 'Give a list of "user" and "assistant"',
    };
  }
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) {
    return {
      fact: `its priority is ${shorten(priority)}`,
      mend: 'Give a number from 0 (optional) to 1 (required)',
    };
  }
  return lastModified === undefined || isMoment(lastModified)
    ? undefined
    : {
        fact: `its lastModified is ${shorten(lastModified)}`,
        mend: 'Give an ISO 8601 moment such as "2026-07-28T12:00:00Z"',
      };
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/** Annotations of tools. */
export function toolAnnotationsFault(annotations: unknown): MetadataFault | undefined {
  if (!isJsonObject(annotations)) return NO_ANNOTATIONS;
  const title = annotations['title'];
  if (title !== undefined && typeof title !== 'string') {
    return { fact: 'the title of its annotations is no text', mend: 'Give a text' };
  }
  const hint = HINTS.find((name) => !['boolean', 'undefined'].includes(typeof annotations[name]));
  return hint === undefined
    ? undefined
    : { fact: `its ${hint} is ${shorten(annotations[hint])}`, mend: 'Use true or false' };
}

const NO_ANNOTATIONS: MetadataFault = {
  fact: 'its annotations are no object',
  mend: 'Give an object',
};

/** An optional prefix of dotted labels and a slash, and a name that may be empty. */
const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const META_KEY = new RegExp(
  String.raw`^(?:${LABEL}(?:\.${LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`,
);

/**
 * Free metadata (`_meta`).
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export function metaFault(meta: unknown): MetadataFault | undefined {
  if (!isJsonObject(meta)) return { fact: 'its meta is no object', mend: 'Give an object' };
  const key = Object.keys(meta).find((name) => !META_KEY.test(name));
  if (key !== undefined) {
    return {
      fact: `its meta has the key ${shorten(key)}`,
      mend: 'Name keys like "com.example/name": letters, digits, "-", "_" and "."',
    };
  }
  try {
    JSON.stringify(meta);
    return undefined;
  } catch (error) {
    return { fact: `its meta is not JSON (${(error as Error).message})`, mend: 'Give plain JSON' };
  }
}

/** A size in bytes. */
export function sizeFault(size: unknown): MetadataFault | undefined {
  return Number.isSafeInteger(size) && (size as number) >= 0
    ? undefined
    : { fact: `its size is ${shorten(size)}`, mend: 'Give a whole number of bytes, 0 or more' };
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}

function isRole(value: unknown): boolean {
  return value === 'user' || value === 'assistant';
}

const MOMENT =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-][01]\d:?[0-5]\d)?)?$/;

/** ISO 8601: a day of the calendar, with or without a time. */
function isMoment(value: unknown): boolean {
  const [, year, month, day] = typeof value === 'string' ? (MOMENT.exec(value) ?? []) : [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day);
}

/** A value as messages name it. */
function shorten(value: unknown): string {
  const text = isWritten(value) ? stringify(value) : typeof value;
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Whether JSON has a word for it. */
function isWritten(value: unknown): value is string | boolean | number | object | null {
  return ['string', 'boolean', 'number', 'object'].includes(typeof value);
}

function stringify(value: string | boolean | number | object | null): string {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return 'an object that is not JSON';
  }
}
