import { McpStdio } from '@dacapo/mcp';

// The module is imported when stdout has been taken for the protocol: nothing it says gets in between.
await McpStdio.serve(import('./app.module.js').then(({ AppModule }) => AppModule));
