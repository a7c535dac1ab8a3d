// Writes the reference of the client library into `site/pages/reference`: one page for each entry of its packages, by TypeDoc.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../build/paths.ts';
import { LIBRARY_ENTRIES, referenceRoute } from './library-entries.ts';
import { withHeadingLinks, withoutLabels } from './reference-links.ts';

const SITE = path.join(REPOSITORY, 'site');
const PAGES = path.join(SITE, 'pages');
/** Folder of TypeDoc's output: a file for each entry, named after the entry's `@module`. */
const DRAFT = path.join(SITE, 'node_modules', '.cache', 'parley', 'reference');

function runTypeDoc(): void {
  const typedoc = path.join(SITE, 'node_modules', 'typedoc', 'bin', 'typedoc');
  const options = ['--options', path.join(SITE, 'typedoc.json'), '--out', DRAFT];
  const entries = LIBRARY_ENTRIES.flatMap(({ source }) => ['--entryPoints', path.join(REPOSITORY, source)]);
  execFileSync(process.execPath, [typedoc, ...options, ...entries], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

runTypeDoc();
const texts = new Map(
  LIBRARY_ENTRIES.map(({ name }) => [
    name,
    withoutLabels(readFileSync(path.join(DRAFT, `${name}.md`), 'utf8')),
  ]),
);
for (const [name, text] of texts) {
  const folder = path.join(PAGES, referenceRoute(name));
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'index.md'), withHeadingLinks(text, { name, texts }));
}
rmSync(DRAFT, { recursive: true });
