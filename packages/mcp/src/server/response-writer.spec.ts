import { keepText } from '../features/lists/kept-text.js';
import type { Result } from '../protocol/index.js';
import { ResponseWriter } from './response-writer.js';

const INFO = { name: 'bakery "Au bon pain"', version: '1.0.0' };
const SERVER = 'io.modelcontextprotocol/serverInfo';
const writer = new ResponseWriter(INFO);

function written(result: object, id: string | number = 1): unknown {
  return JSON.parse(writer.write(id, result as Result));
}

describe('a response', () => {
  it.each([1, 0, -7, 'a', '', '"\\\u2028'])('has the id %j', (id) => {
    expect(written({ resultType: 'complete' }, id)).toEqual({
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', _meta: { [SERVER]: INFO } },
    });
  });

  it('names the server beside what a result says of itself', () => {
    const result = { resultType: 'complete', _meta: { a: 1 }, content: [] };
    expect(written(result)).toMatchObject({
      result: { content: [], _meta: { [SERVER]: INFO, a: 1 } },
    });
  });

  it('leaves the last word to the result', () => {
    const mine = { name: 'mine', version: '2' };
    expect(written({ _meta: { [SERVER]: mine } })).toMatchObject({
      result: { _meta: { [SERVER]: mine } },
    });
  });

  it.each([{}, { _meta: undefined }, { a: undefined }])('may have nothing else: %j', (result) => {
    expect(written(result)).toMatchObject({ result: { _meta: { [SERVER]: INFO } } });
  });

  it('is written anew for a result that has changed, unless its text is kept', () => {
    const changing = { resultType: 'complete', count: 1 };
    const kept = keepText({ resultType: 'complete', count: 1 });
    for (const result of [changing, kept]) {
      expect(written(result)).toMatchObject({ result: { count: 1 } });
      result.count = 2;
    }
    expect(written(changing)).toMatchObject({ result: { count: 2 } });
    expect(written(kept, 2)).toMatchObject({ id: 2, result: { count: 1 } });
  });

  it('is refused where JSON cannot hold it', () => {
    const circle: Record<string, unknown> = { resultType: 'complete' };
    circle['circle'] = circle;
    expect(() => writer.write(1, circle as never)).toThrow(/circular/);
  });
});
