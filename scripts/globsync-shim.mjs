/**
 * The pinned conformance suite imports `fs.globSync` when it loads, which Node has only since 22.
 * Nothing that is run here calls it, so on older versions the import is given a stand-in.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';

if (!('globSync' in fs)) {
  const standIn = toModule(`
    export * from 'node:fs';
    export { default } from 'node:fs';
    export function globSync() { throw new Error('fs.globSync needs Node 22 or later.'); }
  `);
  register(
    toModule(`
      export function resolve(specifier, context, next) {
        const fromSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
        return fromSuite && specifier === 'fs'
          ? { url: ${JSON.stringify(standIn)}, format: 'module', shortCircuit: true }
          : next(specifier, context);
      }
    `),
  );
}

/** The text of a module as a URL that can be imported. */
function toModule(text) {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}
