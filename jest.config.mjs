/** One configuration for unit specs (beside the code) and whole-application specs (test/). */
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

export default {
  testEnvironment: 'node',
  // Programs are started and types are checked: a busy machine may take its time.
  testTimeout: 60_000,
  // Most specs wait for sockets and processes; by default one core would be left idle.
  maxWorkers: '100%',
  testMatch: [
    '<rootDir>/packages/**/*.spec.ts',
    '<rootDir>/apps/**/*.spec.ts',
    '<rootDir>/test/**/*.spec.ts',
  ],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^@dacapo/testing/tasks$': '<rootDir>/packages/testing/src/tasks/index.ts',
    '^@dacapo/([a-z]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/(packages|apps)/[^/]+/dist'],
  setupFiles: ['reflect-metadata'],
  collectCoverageFrom: [
    'packages/*/src/**/*.ts',
    '!**/*.spec.ts',
    '!**/*.fixture.ts',
    '!**/*.d.ts',
  ],
  coverageReporters: ['text-summary', 'lcovonly'],
  coverageThreshold: {
    global: { statements: 97, branches: 95, functions: 97, lines: 97 },
    // The engine is where a branch that nobody has tried costs money.
    './packages/mcp/src/replay/': { statements: 100, branches: 100, functions: 100, lines: 100 },
  },
};
