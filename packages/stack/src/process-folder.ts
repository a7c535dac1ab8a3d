import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startGuard } from './guard.ts';
import { isAlive } from './pids.ts';

const PREFIX = `parley-test-${process.getuid?.() ?? 'user'}-`;

/**
 * The temporary folder of this process: it goes when the process goes, with every server that was started in it. Jest
 * loads this module anew for each test file, so the state is in the folder and not in the module.
 */
export function processFolder(): string {
  const folder = path.join(tmpdir(), `${PREFIX}${process.pid}`);
  if (isGuarded(folder)) return folder;
  removeStaleFolders();
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  writeFileSync(guardFile(folder), String(startGuard(folder, { keepFolder: false })));
  return folder;
}

// Removes folders of test runs whose guard was killed too.
function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const folder = path.join(tmpdir(), name);
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length))) || isGuarded(folder)) continue;
    startGuard(folder, { keepFolder: false, now: true });
  }
}

function isGuarded(folder: string): boolean {
  try {
    return isAlive(Number(readFileSync(guardFile(folder), 'utf8')));
  } catch {
    return false;
  }
}

function guardFile(folder: string): string {
  return path.join(folder, 'guard');
}
