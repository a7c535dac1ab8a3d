import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const FOLDER = path.resolve(import.meta.dirname, '..');
let render: (text: string) => string;
const built = mkdtempSync(path.join(FOLDER, 'node_modules', '.text-'));

beforeAll(async () => {
  const outfile = path.join(built, 'render.mjs');
  await build({
    stdin: {
      contents: `import { renderToStaticMarkup } from 'react-dom/server.edge';
        import { createElement } from 'react';
        import { MessageText } from './message-text.tsx';
        export const render = (text) => renderToStaticMarkup(createElement(MessageText, { text }));`,
      resolveDir: path.join(FOLDER, 'src'),
    },
    ...{ bundle: true, format: 'esm', platform: 'node', jsx: 'automatic', outfile },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  ({ render } = (await import(pathToFileURL(outfile).href)) as { render: typeof render });
});
afterAll(() => rmSync(built, { recursive: true }));

test.each([
  ['**bold** and _slanted_', '<strong>bold</strong> and <em>slanted</em>'],
  ['one\ntwo', 'one<br/>two'],
  ['see https://example.com now', '<a href="https://example.com" target="_blank"'],
  ['```\n<b>code</b>\n```', '<code>&lt;b&gt;code&lt;/b&gt;</code>'],
])('%j is shown as it means', (text, html) => {
  expect(render(text)).toContain(html);
});

test.each([
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '[link](javascript:alert(1))',
  '[link](JaVaScRiPt&colon;alert(1))',
  '[link](data:text/html,<script>alert(1)</script>)',
  '![picture](https://evil.test/pixel.png)',
  '<a href="vbscript:x">a</a>',
])('%j runs and loads nothing', (text) => {
  expect(render(text)).not.toMatch(/<(?:img|script|iframe)|href="(?!https?:|mailto:|tel:)|<[^>]* on\w+=/i);
});

test.each([
  '>'.repeat(2_000) + 'a',
  '*'.repeat(2_000),
  '['.repeat(2_000),
  '`'.repeat(2_000),
  '- '.repeat(1_000),
])('a text of two thousand signs is shown within a second', (text) => {
  const before = performance.now();
  expect(render(text)).toContain('parley-text');
  expect(performance.now() - before).toBeLessThan(1_000);
});
