import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GoldenLedger } from './golden-ledger.js';

const EXTENSION = '.json';

/**
 * Keeps a recorded conversation as a file, for good.
 * @param name with the release it is of, such as `checkout-1.4.0`
 * @throws Error when the file is there: what was recorded is not recorded anew
 */
export function writeGoldenLedger(folder: string | URL, name: string, golden: GoldenLedger): void {
  const text = `${JSON.stringify(golden, null, 2)}\n`;
  writeFileSync(join(pathOf(folder), name + EXTENSION), text, { flag: 'wx' });
}

/** Every conversation that is kept in a folder, by name: a table for `it.each`. */
export function readGoldenLedgers(folder: string | URL): [name: string, golden: GoldenLedger][] {
  const path = pathOf(folder);
  return readdirSync(path)
    .filter((file) => file.endsWith(EXTENSION))
    .sort()
    .map((file) => [
      file.slice(0, -EXTENSION.length),
      JSON.parse(readFileSync(join(path, file), 'utf8')) as GoldenLedger,
    ]);
}

function pathOf(folder: string | URL): string {
  return typeof folder === 'string' ? folder : fileURLToPath(folder);
}
