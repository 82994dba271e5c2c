const LABEL_LENGTH = 80;

/** The first words of a question, in whole characters. */
export function askLabel(text: string): string {
  return Array.from(text).slice(0, LABEL_LENGTH).join('');
}
