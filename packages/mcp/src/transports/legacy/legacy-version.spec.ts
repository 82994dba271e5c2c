import { HeaderMismatchException, InvalidRequestException } from '../../exceptions/index.js';
import { LEGACY_REVISIONS } from '../../protocol/index.js';
import { revisionOf } from './legacy-version.js';

function refused(version: string): string {
  return `MCP-Protocol-Version ${version} is not supported. Without the envelope of 2026-07-28 this server speaks 2025-11-25, 2025-06-18, 2025-03-26.`;
}

describe('the revision in a header', () => {
  it.each(LEGACY_REVISIONS)('is %s', (revision) => {
    expect(revisionOf({ 'mcp-protocol-version': revision })).toBe(revision);
    expect(revisionOf({ 'mcp-protocol-version': ` ${revision}\t` })).toBe(revision);
  });

  it('is 2025-03-26 where there is none, as that one had no header', () => {
    expect(revisionOf({})).toBe('2025-03-26');
    expect(revisionOf({ 'mcp-protocol-version': undefined })).toBe('2025-03-26');
  });

  it.each(['2026-07-28', '2024-11-05', '2025-11-25, 2025-11-25', 'x"y', ''])(
    'is refused where it is %j',
    (version) => {
      expect(() => revisionOf({ 'mcp-protocol-version': version })).toThrow(
        new InvalidRequestException(refused(JSON.stringify(version))),
      );
    },
  );

  it('is quoted no further than it takes to know it', () => {
    expect(() => revisionOf({ 'mcp-protocol-version': '1'.repeat(101) })).toThrow(
      new InvalidRequestException(refused(`"${'1'.repeat(100)}"`)),
    );
  });

  it('is refused where it is repeated', () => {
    expect(() => revisionOf({ 'mcp-protocol-version': ['2025-11-25', '2025-11-25'] })).toThrow(
      HeaderMismatchException,
    );
  });
});
