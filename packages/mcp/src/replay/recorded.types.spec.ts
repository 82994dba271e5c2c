import type { Observable } from 'rxjs';
import type { Recorded } from './recorded.js';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only when the two types are the same. */
const same = <A, B>(equal: Equal<A, B>): boolean => equal;

interface Account {
  id: number;
  opened: Date;
  closed?: Date;
  owner: { name: string | undefined };
  rename(name: string): void;
}

describe('Recorded', () => {
  it('is the type of a value that has been through JSON', () => {
    expect([
      same<Recorded<string | null>, string | null>(true),
      same<Recorded<'a' | 5 | true>, 'a' | 5 | true>(true),
      same<Recorded<void>, undefined>(true),
      same<Recorded<undefined>, undefined>(true),
      same<Recorded<Date>, string>(true),
      same<Recorded<Date[]>, string[]>(true),
      same<Recorded<[number, Date]>, [number, string]>(true),
      same<Recorded<(number | undefined)[]>, (number | null)[]>(true),
      same<
        Recorded<Account>,
        { id: number; opened: string; closed?: string; owner: { name: string | undefined } }
      >(true),
      same<Recorded<Map<string, number>>, never>(true),
      same<Recorded<bigint>, never>(true),
      same<Recorded<Uint8Array>, never>(true),
      same<Recorded<Observable<number>>, never>(true),
      same<Recorded<AsyncGenerator<number>>, never>(true),
      same<Recorded<readonly string[]>, readonly string[]>(true),
      same<Recorded<unknown>, unknown>(true),
    ]).not.toContain(false);
  });
});
