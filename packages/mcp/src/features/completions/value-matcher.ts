interface Candidate {
  readonly value: string;
  readonly folded: string;
}

/**
 * Finds what fits in a list that never changes: first the values that begin with what was typed, then
 * those that contain it, each in the order of the list. Case does not count.
 */
export class ValueMatcher {
  private readonly candidates: readonly Candidate[];

  constructor(values: readonly string[]) {
    this.candidates = [...new Set(values)].map((value) => ({ value, folded: fold(value) }));
  }

  /** Everything, for nothing. */
  match(typed: string): readonly string[] {
    const wanted = fold(typed);
    const beginning: string[] = [];
    const containing: string[] = [];
    for (const { value, folded } of this.candidates) {
      if (folded.startsWith(wanted)) beginning.push(value);
      else if (folded.includes(wanted)) containing.push(value);
    }
    return [...beginning, ...containing];
  }
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
