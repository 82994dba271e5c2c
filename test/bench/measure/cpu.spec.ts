import { parseCpuTicks, parseSchedstatMicros } from './cpu.js';

describe('the CPU time of a process', () => {
  const fields = 'S 1 7 7 0 -1 4194560 900 0 0 0 1234 66 0 0 20 0 11 0 5000 700000 9000';

  it('is the sum of user and system time', () => {
    expect(parseCpuTicks(`7 (node) ${fields}`)).toBe(1300);
  });

  it('is found behind any name', () => {
    expect(parseCpuTicks(`7 (a) b (c) ${fields}\n`)).toBe(1300);
  });

  it('is not read from anything else', () => {
    expect(() => parseCpuTicks('no such process')).toThrow('Not a line of /proc/<pid>/stat');
  });

  it('is known to the nanosecond of a thread', () => {
    expect(parseSchedstatMicros('123456789 42 17\n')).toBe(123456.789);
  });
});
