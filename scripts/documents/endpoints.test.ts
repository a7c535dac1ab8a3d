import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { OPERATIONS } from '../../packages/contract/src/api/index.ts';
import type { Operation } from '../../packages/contract/src/api/operation.ts';
import { readText, REPOSITORY, rowsOf, sectionOf } from './page.ts';

const PAGE = 'docs/protocol/endpoints.md';

/** Sections of the page, and whom their endpoints authorize. */
const SECTIONS: Readonly<Record<string, readonly Operation['auth'][]>> = {
  'Without a token, or with either': ['none', 'checked'],
  'Client API': ['session'],
  'Server API': ['bearer'],
};

const HEADINGS = new Map<string, Map<string, string>>();

/** The heading of an address such as `messages.md#parts`; the title of a page for one without an anchor. */
function headingAt(address: string): string {
  const [page = '', anchor] = address.split('#');
  let headings = HEADINGS.get(page);
  if (!headings) HEADINGS.set(page, (headings = headingsOf(readText(`docs/protocol/${page}`))));
  const heading = headings.get(anchor ?? '');
  if (heading === undefined) throw new Error(`no heading has the address ${address}`);
  return heading;
}

function headingsOf(text: string): Map<string, string> {
  const headings = [...text.matchAll(/^(#+) (.+)$/gm)];
  return new Map(
    headings.flatMap(([, marks = '', heading = '']) => {
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-');
      return marks === '#'
        ? [
            ['', heading],
            [anchor, heading],
          ]
        : [[anchor, heading]];
    }),
  );
}

/** Method and path, statuses of success, and where it is described. */
function rowsFor(auth: readonly Operation['auth'][]): string[][] {
  return Object.values(OPERATIONS)
    .filter((operation) => auth.includes(operation.auth))
    .map(({ route, success, docs }) => [
      route,
      Object.keys(success).join(', '),
      `[${headingAt(docs)}](${docs})`,
    ]);
}

/** For `npm run format` to lay out. */
function withTables(text: string): string {
  return Object.entries(SECTIONS).reduce((page, [title, auth]) => {
    const section = sectionOf(page, title);
    const rows = rowsFor(auth).map(([route, ...cells]) => `| ${[`\`${route}\``, ...cells].join(' | ')} |`);
    const table = ['| endpoint | answers | described |', '| --- | --- | --- |', ...rows];
    return page.replace(section, section.replace(/(?:^\|.*\n)+/m, `${table.join('\n')}\n`));
  }, text);
}

test.each(Object.entries(SECTIONS))('the endpoints of “%s” are those of the API', (title, auth) => {
  const text = readText(PAGE);
  if (process.env['UPDATE_DOCS']) return writeFileSync(path.join(REPOSITORY, PAGE), withTables(text));
  expect(rowsOf(sectionOf(text, title))).toEqual(rowsFor(auth));
});
