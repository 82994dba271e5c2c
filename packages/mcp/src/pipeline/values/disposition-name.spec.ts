import { dispositionName } from './disposition-name.js';

describe('dispositionName', () => {
  it.each<[string | string[] | undefined, string | undefined]>([
    [undefined, undefined],
    ['inline', undefined],
    ['attachment; filename="report.pdf"', 'report.pdf'],
    ['attachment; filename=report.pdf; size=5', 'report.pdf'],
    ['attachment; FILENAME = "a \\"b\\".txt"', 'a "b".txt'],
    ['attachment; filename="a;b.txt"', 'a;b.txt'],
    ['attachment; filename="plan.txt"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.txt', 'größe.txt'],
    ["attachment; filename*=UTF-8''%E0%A4; filename=plan.txt", 'plan.txt'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\\\temp\\\\a.txt"', 'a.txt'],
    ['attachment; filename=""', undefined],
    ['attachment; filename="folder/"', undefined],
    [['attachment', 'filename="a.txt"'], 'a.txt'],
  ])('of %j is %j', (disposition, name) => {
    expect(dispositionName(disposition)).toBe(name);
  });
});
