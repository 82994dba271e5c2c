const LABEL_LENGTH = 80;

/** The first words of a question, in whole characters. */
export function askLabel(text: string): string {
  return text.length <= LABEL_LENGTH ? text : Array.from(text).slice(0, LABEL_LENGTH).join('');
}
