import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PAGES = { 'index.html': 'x', '404.html': 'x', 'errors/index.html': 'x', 'scripts.json': '[]' };

export type PageFolder = { folder: string; remove(): void };

/** A folder that a gateway serves as its documentation and console: the pages that each needs, and the given files. */
export function createPages(files: Readonly<Record<string, string>> = {}): PageFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-pages-'));
  for (const [name, text] of Object.entries({ ...PAGES, ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
