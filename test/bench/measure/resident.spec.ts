import { parseResidentMb } from './resident.js';

describe('the resident memory of a process', () => {
  it('is read from its status', () => {
    expect(parseResidentMb('Name:\tnode\nVmHWM:\t  99999 kB\nVmRSS:\t   51200 kB\n')).toBe(50);
  });

  it('is missing when the process has ended', () => {
    expect(() => parseResidentMb('Name:\tnode\nState:\tZ (zombie)\n')).toThrow('no VmRSS');
  });
});
