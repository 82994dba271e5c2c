/**
 * Boots what examples export: their AppModule, or else their providers behind a server. What an
 * example only stands in for is mocked. Functions that need nothing are called. Prints the complaints
 * as JSON, by file.
 */
import 'reflect-metadata';
import { Test } from '@nestjs/testing';
import { McpModule } from '@dacapo/mcp';

const complaints = {};
for (const file of process.argv.slice(2)) {
  try {
    await boot(await import(file));
  } catch (error) {
    complaints[file] = error.message;
  }
}
console.log(JSON.stringify(complaints));

async function boot({ AppModule, ...exported }) {
  const functions = Object.values(exported).filter((value) => typeof value === 'function');
  if (AppModule === undefined && functions.length === 0) throw new Error('exports nothing to boot');
  const providers = functions.filter(isClass);
  for (const call of functions) if (!isClass(call) && call.length === 0) await call();
  const alone = McpModule.forRoot({ server: { name: 'example', version: '1.0.0' } });
  const testing = await Test.createTestingModule({ imports: [AppModule ?? alone], providers })
    .useMocker(() => ({ subscribe: () => () => undefined }))
    .compile();
  const app = testing.createNestApplication({ logger: false });
  await app.init();
  await app.close();
}

function isClass(value) {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
