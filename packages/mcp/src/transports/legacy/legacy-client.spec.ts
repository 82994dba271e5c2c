import { LEGACY_REVISIONS, type LegacyRevision } from '../../protocol/index.js';
import { isSince, negotiate, readClient } from './legacy-client.js';

const NEWEST = '2025-11-25';

function capabilities(protocolVersion: LegacyRevision, declared: unknown): unknown {
  return readClient({ protocolVersion, capabilities: declared }).capabilities;
}

describe('the revision of a session', () => {
  it.each(LEGACY_REVISIONS)('is the %s that the client asks for', (revision) => {
    expect(negotiate(revision)).toBe(revision);
    expect(readClient({ protocolVersion: revision }).revision).toBe(revision);
  });

  it.each([
    '2026-07-28',
    '2024-11-05',
    '2025-11-25 ',
    '',
    'toString',
    undefined,
    null,
    20251125,
    ['2025-06-18'],
  ])('is the newest of the earlier ones where the client asks for %j', (requested) => {
    expect(negotiate(requested)).toBe(NEWEST);
    expect(readClient({ protocolVersion: requested }).revision).toBe(NEWEST);
  });

  it.each<[LegacyRevision, LegacyRevision, boolean]>([
    ['2025-11-25', '2025-11-25', true],
    ['2025-11-25', '2025-03-26', true],
    ['2025-06-18', '2025-11-25', false],
    ['2025-06-18', '2025-06-18', true],
    ['2025-03-26', '2025-06-18', false],
  ])('%s, held against %s, counts as that or later: %p', (revision, since, expected) => {
    expect(isSince(revision, since)).toBe(expected);
  });
});

describe('what a client says of itself', () => {
  it('is kept with all that it adds to name and version', () => {
    const clientInfo = { name: 'desk', version: '1.2', title: 'Desk', icons: [] };
    expect(readClient({ clientInfo }).info).toEqual(clientInfo);
  });

  it.each([
    undefined,
    null,
    'desk',
    ['desk', '1.2'],
    {},
    { name: 'desk' },
    { version: '1.2' },
    { name: 5, version: '1.2' },
    { name: 'desk', version: 1.2 },
  ])('counts as not said where it is %j', (clientInfo) => {
    expect(readClient({ clientInfo }).info).toBeUndefined();
  });

  it('is nothing where it says nothing', () => {
    expect(readClient({})).toEqual({ revision: NEWEST, info: undefined, capabilities: {} });
  });
});

describe('the capabilities of a client', () => {
  it.each(LEGACY_REVISIONS)('of %s have the roots that it declares', (revision) => {
    expect(capabilities(revision, { roots: { listChanged: true } })).toEqual({
      roots: { listChanged: true },
    });
  });

  it.each<[LegacyRevision, object, object]>([
    ['2025-11-25', {}, {}],
    ['2025-11-25', { context: {}, tools: {} }, { context: {}, tools: {} }],
    ['2025-11-25', { tools: { x: 1 } }, { tools: { x: 1 } }],
    ['2025-11-25', { context: true, tools: null, vision: {} }, {}],
    ['2025-06-18', {}, { context: {} }],
    ['2025-06-18', { tools: {} }, { context: {} }],
    ['2025-03-26', {}, { context: {} }],
  ])('of %s that declares the sampling %j have %j', (revision, sampling, expected) => {
    expect(capabilities(revision, { sampling })).toEqual({ sampling: expected });
  });

  it.each<[LegacyRevision, object, object]>([
    ['2025-11-25', {}, { elicitation: {} }],
    ['2025-11-25', { form: {}, url: {} }, { elicitation: { form: {}, url: {} } }],
    ['2025-11-25', { url: {} }, { elicitation: { url: {} } }],
    ['2025-11-25', { form: 'yes', url: [], voice: {} }, { elicitation: {} }],
    ['2025-06-18', {}, { elicitation: {} }],
    ['2025-06-18', { form: {}, url: {} }, { elicitation: {} }],
    ['2025-03-26', {}, {}],
    ['2025-03-26', { form: {} }, {}],
  ])('of %s that declares the elicitation %j have %j', (revision, elicitation, expected) => {
    expect(capabilities(revision, { elicitation })).toEqual(expected);
  });

  it.each([
    undefined,
    null,
    'all',
    [{ roots: {} }],
    {},
    { roots: true, sampling: true, elicitation: true },
    { roots: null, sampling: null, elicitation: null },
    { roots: [], sampling: [], elicitation: [] },
    { tasks: {}, extensions: { 'a/jobs': {} } },
  ])('are none where %j is declared', (declared) => {
    expect(capabilities(NEWEST, declared)).toEqual({});
  });
});
