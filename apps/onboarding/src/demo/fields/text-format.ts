/** A format of JSON Schema that a person can get wrong. */
interface TextFormat {
  /** The rest of "it must be …". */
  readonly words: string;
  fits(text: string): boolean;
}

/** Stricter servers have the last word; this spares a person the obvious round trip. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;

/** The formats a form may ask for; others are not checked here. */
export const TEXT_FORMATS: Readonly<Record<string, TextFormat>> = {
  email: { words: 'an e-mail address such as ada@example.com', fits: (text) => EMAIL.test(text) },
  uri: {
    words: 'a URI such as https://example.com',
    fits: (text) => URL.canParse(text) && !/\s/.test(text),
  },
  date: { words: 'a date such as 2026-07-28', fits: isDate },
  'date-time': {
    words: 'a date and time such as 2026-07-28T12:00:00Z',
    fits: (text) => {
      const day = DATE_TIME.exec(text)?.[1];
      return day !== undefined && isDate(day) && !Number.isNaN(Date.parse(text));
    },
  },
};

/** `Date` takes the 31st of February for a day in March; writing it back tells. */
function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
