import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  breakingChanges,
  type ApiDocument,
} from '../../packages/contract/src/compatibility/compare-documents.ts';
import { format, openApi, plainTypes } from './documents.ts';
import { undecided } from './narrowed.ts';
import { serverClient, serverRecords } from './server-client.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const PAGE = path.join(REPOSITORY, 'docs/openapi.json');
const TYPES = path.join(REPOSITORY, 'packages/contract/gen/records.ts');
const CLIENT_TYPES = path.join(REPOSITORY, 'packages/client/gen');
/** The document of the last release. */
const RELEASED = path.join(REPOSITORY, 'packages/contract/released/openapi.json');
const DOCUMENT = openApi();

test('the committed document is the one that gateways publish', () => {
  const expected = format(DOCUMENT);
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, expected);
  expect(readFileSync(PAGE, 'utf8')).toBe(expected);
});

test('the committed types are those of the document', async () => {
  const expected = await plainTypes();
  if (process.env.UPDATE_DOCS) writeFileSync(TYPES, expected);
  expect(readFileSync(TYPES, 'utf8')).toBe(expected);
});

test.each([
  ['server-operations.ts', serverClient],
  ['server-records.ts', serverRecords],
])('the committed %s of the server client is that of the document', (name, make) => {
  const file = path.join(CLIENT_TYPES, name);
  const expected = make(DOCUMENT);
  if (process.env.UPDATE_DOCS) writeFileSync(file, expected);
  expect(readFileSync(file, 'utf8')).toBe(expected);
});

test('clients of the last release understand it', () => {
  if (process.env.UPDATE_RELEASED) writeFileSync(RELEASED, format(DOCUMENT));
  expect(existsSync(RELEASED)).toBe(true);
  const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as ApiDocument;
  expect(undecided(breakingChanges(released, DOCUMENT as ApiDocument))).toEqual([]);
});

test('it keeps the recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: format(DOCUMENT), absoluteRef: PAGE, config });
  const found = problems.map(
    ({ ruleId, message, location }) =>
      `${ruleId}: ${message} ${location.map(({ pointer }) => pointer).join(' ')}`,
  );
  expect(found).toEqual([]);
});

test('every example is valid', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(DOCUMENT, 'openapi');
  const examples = examplesOf(DOCUMENT);
  expect(examples.length).toBeGreaterThan(0);
  const invalid = examples.filter(
    ({ pointer, example }) => !ajv.validate({ $ref: `openapi#${pointer}/schema` }, example),
  );
  expect(invalid.map(({ pointer }) => pointer)).toEqual([]);
});

type Example = { pointer: string; example: unknown };

/** Examples that stand beside their schemas. */
function examplesOf(value: unknown, pointer = ''): Example[] {
  if (typeof value !== 'object' || value === null) return [];
  const { schema, example } = value as { schema?: unknown; example?: unknown };
  const here = typeof schema === 'object' && example !== undefined ? [{ pointer, example }] : [];
  return [
    ...here,
    ...Object.entries(value)
      .filter(([key]) => key !== 'example' && key !== 'examples')
      .flatMap(([key, item]) => examplesOf(item, `${pointer}/${escapeKey(key)}`)),
  ];
}

function escapeKey(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
