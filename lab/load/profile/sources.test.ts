import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLocate } from './sources.ts';

/** Line 1, column 0 of the bundle is line 3 of the only source (`AAEA`). */
function mapOf(source: string): string {
  return JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAEA' });
}

function locationOf(source: string | undefined): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-sources-'));
  try {
    const file = path.join(folder, 'dist.js');
    if (source) writeFileSync(`${file}.map`, mapOf(source));
    const url = pathToFileURL(file).href;
    const found = createLocate()({ functionName: 'render', url, lineNumber: 0, columnNumber: 0 });
    return found.replace(`${path.basename(folder)}/`, '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a function of a bundle is found in its source', () => {
  expect(locationOf('../../gateway/src/realtime/live/render/parts.ts')).toBe(
    'gateway/src/realtime/live/render/parts.ts:3',
  );
});

test('a function of a dependency is found in its package', () => {
  expect(locationOf('../../node_modules/.pnpm/pg@8.23.1/node_modules/pg/lib/client.js')).toBe(
    'pg/lib/client.js:3',
  );
});

test('without a source map the place in the file that ran is given', () => {
  expect(locationOf(undefined)).toBe('dist.js:1');
  expect(createLocate()({ functionName: '', url: 'node:net', lineNumber: 8, columnNumber: 1 })).toBe(
    'node:net:9',
  );
});
