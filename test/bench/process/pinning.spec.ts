import { parseCores } from './pinning.js';

describe('the cores a process may use', () => {
  it.each([
    ["pid 7's current affinity list: 0,1", [0, 1]],
    ["pid 7's current affinity list: 0-2,5", [0, 1, 2, 5]],
    ["pid 7's current affinity list: 3\n", [3]],
  ])('are read from %j', (text, cores) => {
    expect(parseCores(text)).toEqual(cores);
  });
});
