import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '..', '..', '..');
const current = path.join(repository, '.parley', 'site', 'current');

/** Brings the documentation up to date, which takes a second when nothing has changed. */
export function buildSite(): void {
  execFileSync(process.execPath, [path.join(repository, 'scripts', 'bootstrap.mjs'), 'site'], {
    stdio: 'pipe',
  });
}

/** The addresses of all pages, as paths of the gateway. */
export function listPages(): string[] {
  return globSync('**/index.html', { cwd: current })
    .map((file) => path.posix.join('/docs', path.dirname(file), '/'))
    .sort();
}

/** Source of axe-core, which finds what people with disabilities cannot use. */
export function axeSource(): string {
  return readFileSync(path.join(repository, 'test', 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');
}
