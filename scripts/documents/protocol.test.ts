import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errors } from '../../packages/contract/src/errors.ts';
import { EXPORT_EVENTS, WEBHOOK_EVENTS } from '../../packages/contract/src/values.ts';
import { CLOSE_CODES } from '../../packages/contract/src/socket/close-codes.ts';
import { SOCKET_METHODS } from '../../packages/contract/src/socket/requests/index.ts';
import { TOKEN_REASONS } from '../../packages/contract/src/token-reasons.ts';
import { exampleNamed } from './examples.ts';
import { AdminService } from '../../proto/gen/parley/identity/v1/admin_service_pb.js';
import { PushAdminService } from '../../proto/gen/parley/push/v1/push_admin_service_pb.js';
import { readText, REPOSITORY, rowsOf, sectionOf, tableOf } from './page.ts';

const pages = globSync('docs/protocol/*.md', { cwd: REPOSITORY });
/** A block that shows an example of the descriptions: ```json example=MESSAGE */
const EXAMPLE = /^(```json example=([^\n`]+)\n)(.*?)(^```$)/gms;

function read(page: string): string {
  return readText(`docs/protocol/${page}.md`);
}

/** The first cells of the tables in a section, without code marks. */
function namesIn(page: string, section: string): string[] {
  const text = section.split('/').reduce((part, title) => subsectionOf(part, title), read(page));
  return rowsOf(text).map(([name = '']) => name.replaceAll('`', ''));
}

function subsectionOf(text: string, title: string): string {
  const section = sectionOf(text, title);
  if (section !== '') return section;
  const [, after = ''] = text.split(`\n### ${title}\n`);
  return after.split(/\n#{2,3} /)[0] ?? '';
}

/** Rewrites the examples of a page from the descriptions; for `npm run check -- format` to lay out. */
function withExamples(text: string): string {
  return text.replaceAll(EXAMPLE, (_, start: string, name: string, _shown, end: string) =>
    [start, JSON.stringify(exampleNamed(name), undefined, 2), '\n', end].join(''),
  );
}

test.each(pages)('the examples of %s are those of the descriptions', (page) => {
  const text = readText(page);
  if (process.env['UPDATE_DOCS']) return writeFileSync(path.join(REPOSITORY, page), withExamples(text));
  for (const [, , name = '', shown = ''] of text.matchAll(EXAMPLE)) {
    expect([name, JSON.parse(shown)]).toEqual([name, exampleNamed(name)]);
  }
});

test('every page of the protocol is in its index', () => {
  const index = read('README');
  const names = pages.map((page) => path.basename(page)).filter((name) => name !== 'README.md');
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

test('the errors have their statuses and codes', () => {
  const listed = rowsOf(sectionOf(read('errors'), 'Errors by status')).map(
    ([status, id, code]) => `${id} ${code} ${status}`,
  );
  const expected = Object.entries(errors).map(([id, { code, httpStatus }]) => `${id} ${code} ${httpStatus}`);
  expect(listed.toSorted()).toEqual(expected.toSorted());
});

test.each<[string, string, string, readonly string[]]>([
  [
    'reasons of refused tokens',
    'authentication',
    'Identity tokens/Rules of an identity token',
    TOKEN_REASONS,
  ],
  ['webhook events', 'webhooks', 'Events', WEBHOOK_EVENTS],
  ['socket methods', 'websocket', 'Requests', Object.keys(SOCKET_METHODS)],
])('all %s are listed, and no others', (_what, page, section, expected) => {
  expect(namesIn(page, section).toSorted()).toEqual(expected.toSorted());
});

test('all methods of the administration API are listed, and no others', () => {
  const tables = ['administration-methods', 'push-administration-methods'].map(
    (name) => `docs/protocol/${name}.tsv`,
  );
  const listed = tables.flatMap(tableOf).flatMap(([names = '']) => names.replaceAll('`', '').split(', '));
  const expected = [...AdminService.methods, ...PushAdminService.methods].map(({ name }) => name);
  expect(listed.toSorted()).toEqual(expected.toSorted());
});

test('the kinds of exported events are named', () => {
  const text = sectionOf(read('exports'), 'Scheduled exports');
  expect(EXPORT_EVENTS.filter((kind) => !text.includes(`\`${kind}\``))).toEqual([]);
});

test('every close code is listed', () => {
  const text = read('websocket');
  expect(Object.keys(CLOSE_CODES).filter((code) => !text.includes(`| ${code} `))).toEqual([]);
});
