import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const SOURCE = path.resolve(import.meta.dirname, '../src');

/** The bytes that a page loads beside React and the core, minified and compressed. */
async function bytesOf(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: SOURCE, loader: 'ts' },
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2022', platform: 'browser' },
    ...{ jsx: 'automatic', charset: 'utf8', define: { 'process.env.NODE_ENV': '"production"' } },
    external: ['react', 'react-dom', 'react/jsx-runtime', '@parley/client', '@parley/react'],
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

test('all components with six languages add at most 60 KB, and a chat in one language less', async () => {
  const whole = await bytesOf(`export * from './index.ts';`);
  const one = await bytesOf(`export { Chat, ParleyProvider } from './index.ts';`);
  expect(whole).toBeLessThanOrEqual(60 * 1024);
  expect(whole - one).toBeGreaterThan(5_000);
});
