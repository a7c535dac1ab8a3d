import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const SOURCE = path.resolve(import.meta.dirname, '../src');

/** The bytes that a page loads for a program, minified and compressed. */
async function bytesOf(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: SOURCE, loader: 'ts' },
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2022', platform: 'browser' },
    external: ['node:*'],
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

test('the whole core has at most 30 KB', async () => {
  expect(await bytesOf(`export * from './index.ts';`)).toBeLessThanOrEqual(30 * 1024);
});

test('the guide says what the core weighs', async () => {
  const guide = readFileSync(path.resolve(SOURCE, '../../../docs/guides/client-library.md'), 'utf8');
  const [, kilobytes] = /^- `@parley\/client`; [^:]*: (\d+) KB;/m.exec(guide) ?? [];
  const bytes = await bytesOf(`export * from './index.ts';`);
  expect(Math.abs(bytes / 1024 - Number(kilobytes))).toBeLessThanOrEqual(1);
});

test('IndexedDB and tabs add at most 4 KB', async () => {
  expect(await bytesOf(`export * from './indexeddb.ts';`)).toBeLessThanOrEqual(4 * 1024);
});

test('lean packets add at most 3 KB', async () => {
  expect(await bytesOf(`export * from './lean.ts';`)).toBeLessThanOrEqual(3 * 1024);
});

test('pushes add at most 2 KB to a page and its service worker', async () => {
  expect(await bytesOf(`export * from './web-push.ts';`)).toBeLessThanOrEqual(2 * 1024);
});

test('a program has only what it uses', async () => {
  expect(await bytesOf(`export { ParleyError } from './index.ts';`)).toBeLessThanOrEqual(512);
  expect(await bytesOf(`export { verifyWebhook } from './server/index.ts';`)).toBeLessThanOrEqual(2 * 1024);
});
