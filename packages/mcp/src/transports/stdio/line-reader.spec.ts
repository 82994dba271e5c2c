import fc from 'fast-check';
import { LineReader } from './line-reader.js';

/** What is read, as text; `null` for a line that is too long. */
function read(chunks: readonly (string | Buffer)[], maxLineBytes = 8): (string | null)[] {
  const lines: (string | null)[] = [];
  const reader = new LineReader(maxLineBytes, (line) => {
    lines.push(line.type === 'line' ? line.bytes.toString('latin1') : null);
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk as string));
  reader.end();
  return lines;
}

describe('A line reader', () => {
  it.each<[string, string[], (string | null)[]]>([
    ['nothing', [], []],
    ['an empty chunk', [''], []],
    ['one line', ['abc\n'], ['abc']],
    ['several in one chunk', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
    ['one in several chunks', ['a', 'b', 'c\n'], ['abc']],
    ['a newline on its own', ['abc', '\n', 'd', '\n'], ['abc', 'd']],
    ['what follows the last newline', ['a\nbc'], ['a', 'bc']],
    ['a carriage return as part of its line', ['a\r\nb\r\n'], ['a\r', 'b\r']],
    ['a line as long as may be', ['12345678\n'], ['12345678']],
    ['a line as long as may be, in chunks', ['1234', '5678', '\n'], ['12345678']],
    ['no line that is longer', ['123456789\na\n'], [null, 'a']],
    ['no line that is longer, in chunks', ['1234', '56789', '\n', 'a\n'], [null, 'a']],
    ['one after two that are longer', ['123456789\n123456789\na'], [null, null, 'a']],
    ['nothing of a long line that never ends', ['123456789', '123456789', '1'], [null]],
  ])('reads %s', (_, chunks, lines) => {
    expect(read(chunks)).toEqual(lines);
  });

  it('tells of a line that is too long before it ends', () => {
    const told: string[] = [];
    const reader = new LineReader(4, ({ type }) => told.push(type));
    reader.push(Buffer.from('1234'));
    expect(told).toEqual([]);
    reader.push(Buffer.from('5'));
    expect(told).toEqual(['too-long']);
  });

  it('reads the same however the stream is chunked', () => {
    const byte = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(0x61, 0x0d, 0xc3, 0xa4, 0xff, 0x20) },
      { weight: 1, arbitrary: fc.constant(0x0a) },
    );
    fc.assert(
      fc.property(
        fc.array(byte, { maxLength: 80 }),
        fc.array(fc.nat({ max: 80 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (bytes, cuts, maxLineBytes) => {
          const stream = Buffer.from(bytes);
          const places = [0, ...cuts, stream.length]
            .map((cut) => Math.min(cut, stream.length))
            .sort((a, b) => a - b);
          const chunks = places.slice(1).map((end, index) => stream.subarray(places[index], end));
          // Said another way: split, and look at the length of each.
          const pieces = stream.toString('latin1').split('\n');
          const last = pieces.pop() as string;
          const expected = [...pieces, ...(last === '' ? [] : [last])].map((line) =>
            line.length > maxLineBytes ? null : line,
          );
          expect(read(chunks, maxLineBytes)).toEqual(expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('holds no more than a line may have, however small its chunks are', () => {
    const maxLineBytes = 1_048_576;
    const reader = new LineReader(maxLineBytes, () => undefined);
    const held = (): number => (reader as unknown as { held: Buffer }).held.length;
    const byte = Buffer.from('a');
    for (let pushed = 0; pushed < maxLineBytes; pushed += 1) reader.push(byte);
    expect(held()).toBe(maxLineBytes);
    reader.push(byte);
    expect(held()).toBe(0);
    for (let pushed = 0; pushed < 1_000; pushed += 1) reader.push(Buffer.alloc(65_536, 'a'));
    expect(held()).toBe(0);
    reader.push(Buffer.from('\nabc'));
    expect(held()).toBeLessThanOrEqual(3);
  });
});
