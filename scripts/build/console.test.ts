import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildConsole, CONSOLE } from './console.ts';
import { isUpToDate } from './inputs.ts';
import { REPOSITORY } from './paths.ts';

const LARGEST_FIRST_LOAD_BYTES = 250 * 1024;

test('the first load of the console has at most 250 KB', async () => {
  await buildConsole();
  expect(isUpToDate(CONSOLE, 'index.html')).toBe(true);
  const dist = path.join(REPOSITORY, CONSOLE, 'dist');
  const page = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const named = [...page.matchAll(/"\/console\/(assets\/[^"]+)"/g)].map(([, name]) => name ?? '');
  // The page that is opened first is loaded besides, with what it shares with others; the largest of such files are counted.
  const overview = readFileSync(
    path.join(dist, named.find((name) => /index-.*\.js$/.test(name)) ?? ''),
    'utf8',
  );
  const lazy = ['overview', 'data-table', 'time', 'tag', 'app-state', 'page', 'use-action'].flatMap((name) =>
    [...overview.matchAll(new RegExp(`"(assets/${name}-[\\w-]+\\.js)"`, 'g'))].map(([, file]) => file ?? ''),
  );
  const files = [...new Set([...named, ...lazy])];
  const size = files.reduce(
    (sum, name) => sum + statSync(path.join(dist, `${name}.gz`)).size,
    gzipSync(page).length,
  );
  expect(named.length).toBeGreaterThan(1);
  expect(lazy.length).toBeGreaterThan(0);
  expect(size).toBeLessThanOrEqual(LARGEST_FIRST_LOAD_BYTES);
});
