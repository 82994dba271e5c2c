import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Seen from the compiled program. */
const folder = fileURLToPath(new URL('../../rivals', import.meta.url));

/** A program of the rivals, seen from the compiled bench. */
export function rival(program: string): string {
  return `../rivals/${program}`;
}

/** Installs the rivals from their own lockfile when they are missing, or others than it names. */
export function installRivals(): void {
  if (areInstalled()) return;
  console.error('Installing the rivals …');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}.`);
}

function areInstalled(): boolean {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const wanted = packagesIn(join(folder, 'package-lock.json'));
  const present = packagesIn(installed);
  return Object.entries(wanted).every(
    ([path, { version, optional, peer }]) =>
      path === '' || optional === true || peer === true || present[path]?.version === version,
  );
}

interface LockedPackage {
  readonly version?: string;
  readonly optional?: boolean;
  readonly peer?: boolean;
}

function packagesIn(file: string): Record<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return packages;
}
