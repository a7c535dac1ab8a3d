import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { OPERATIONS } from '../../packages/contract/src/api/index.ts';
import type { Operation } from '../../packages/contract/src/api/operation.ts';
import { readText, REPOSITORY, sectionOf } from './page.ts';

const PAGE = 'docs/protocol/endpoints.md';

/** Sections of the page, and whom their endpoints authorize. */
const SECTIONS: Readonly<Record<string, readonly Operation['auth'][]>> = {
  'Without a token, or with either': ['none', 'checked'],
  'Client API': ['session'],
  'Server API': ['bearer'],
};

/** Lines with method and path, a link to where it is described, and statuses of success. */
function linesFor(auth: readonly Operation['auth'][]): string[] {
  return Object.values(OPERATIONS)
    .filter((operation) => auth.includes(operation.auth))
    .map(({ route, success, docs }) => `- [\`${route}\`](${docs}): ${Object.keys(success).join(', ')}`);
}

const isEndpoint = (line: string) => line.startsWith('- [`');

function withLists(text: string): string {
  return Object.entries(SECTIONS).reduce((page, [title, auth]) => {
    const section = sectionOf(page, title);
    const lines = linesFor(auth).map((line) => `${line}\n`);
    return page.replace(section, section.replace(/(?:^(?:\||- \[`).*\n)+/m, lines.join('')));
  }, text);
}

test.each(Object.entries(SECTIONS))('the endpoints of “%s” are those of the API', (title, auth) => {
  const text = readText(PAGE);
  if (process.env['UPDATE_DOCS']) return writeFileSync(path.join(REPOSITORY, PAGE), withLists(text));
  const listed = sectionOf(text, title).split('\n').filter(isEndpoint);
  expect(listed).toEqual(linesFor(auth));
});
