import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildConsole, CONSOLE } from './console.ts';
import { isUpToDate } from './inputs.ts';
import { REPOSITORY } from './paths.ts';

const LARGEST_FIRST_LOAD_BYTES = 250_000;

const dist = path.join(REPOSITORY, CONSOLE, 'dist');

test('the first load of the console has at most 250 KB', async () => {
  await buildConsole();
  expect(isUpToDate(CONSOLE, 'index.html')).toBe(true);
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const named = [...page.matchAll(/"\/console\/(assets\/[^"]+)"/g)].map(([, name]) => name ?? '');
  const scripts = named.filter((name) => name.endsWith('.js'));
  // The page that is opened first is loaded besides, and all that is imported.
  const overview = scripts.flatMap((name) => /"(assets\/overview-[\w-]+\.js)"/.exec(textOf(name))?.[1] ?? []);
  const files = [...new Set([...named, ...withImports([...scripts, ...overview])])];
  const size = files.reduce(
    (sum, name) => sum + statSync(path.join(dist, `${name}.gz`)).size,
    gzipSync(page).length,
  );
  expect(named.length).toBeGreaterThan(1);
  expect(overview).toHaveLength(1);
  expect(size).toBeLessThanOrEqual(LARGEST_FIRST_LOAD_BYTES);
});

function textOf(name: string): string {
  return readFileSync(path.join(dist, name), 'utf8');
}

/** Scripts with those that they import, and those that these import. */
function withImports(names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  for (const name of found)
    for (const [, imported] of textOf(name).matchAll(/(?:from|import)\s*["`]\.\/([\w-]+\.js)["`]/g))
      found.add(`assets/${imported}`);
  return found;
}
