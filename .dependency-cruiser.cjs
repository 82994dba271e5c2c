/**
 * The direction of imports: docs/architecture.md draws the same picture. A room may import the rooms
 * below it; nothing imports upward, nothing in a circle.
 */
const rooms = [
  'protocol',
  'exceptions',
  'schema',
  'exchange',
  'changes',
  'replay',
  'context',
  'options',
  'decorators',
  'discovery',
  'pipeline',
  'features',
  'server',
  'transports',
];

const src = '^packages/mcp/src';
/** Constants everybody may read; they import nothing. */
const constants = `${src}/mcp\\.constants\\.ts$`;

const upward = rooms.map((room, index) => ({
  name: `nothing-above-${room}`,
  comment: `${room} may import only the rooms below it: ${rooms.slice(0, index).join(', ') || 'none'}.`,
  severity: 'error',
  from: { path: `${src}/${room}/`, pathNot: '\\.spec\\.ts$' },
  to: {
    path: src,
    pathNot: [constants, ...rooms.slice(0, index + 1).map((below) => `${src}/${below}/`)],
  },
}));

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'constants-import-nothing',
      severity: 'error',
      from: { path: constants },
      to: { path: '.' },
    },
    {
      name: 'mcp-stays-light',
      comment: 'No SDK, ORM or auth stack in the framework; the SDK serves tests only.',
      severity: 'error',
      from: { path: src, pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/(@modelcontextprotocol|express|fastify|zod|jose)/' },
    },
    {
      name: 'packages-do-not-know-apps',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(apps|test)/' },
    },
    {
      name: 'apps-use-the-promised-api',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^packages/[^/]+/src/(?!index\\.ts$)' },
    },
    {
      name: 'packages-use-the-promised-api',
      comment:
        'A package beside the framework is its user: what it needs is promised to everybody.',
      severity: 'error',
      from: { path: '^packages/(?!mcp/)([^/]+)/' },
      to: { path: '^packages/[^/]+/src/(?!index\\.ts$)', pathNot: '^packages/$1/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: src, pathNot: '(\\.d\\.ts|\\.constants\\.ts)$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
