import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY, tableOf } from './page.ts';

const services = readdirSync(path.join(REPOSITORY, 'services')).toSorted();

function tablesOfSchema(schema: string): string[] {
  return [...schema.matchAll(/^table (\w+)/gm)].map(([, name]) => name!).toSorted();
}

const rows = tableOf('docs/data-model.tsv');

/** The tables that a service has: its own, and the shared ones that name it. */
function tablesListed(service: string): string[] {
  const own = rows.filter(([services = '']) => services === 'all' || services.split(', ').includes(service));
  return own.map(([, name = '']) => name).toSorted();
}

test.each(services)('the data model lists the tables of %s, and no others', (service) => {
  const schema = tablesOfSchema(readText(`services/${service}/schema.sql`));
  expect(schema.length).toBeGreaterThan(5);
  expect(tablesListed(service)).toEqual(schema);
});

test('every table says what its rows are', () => {
  expect(rows.filter((row) => row.length !== 3 || row.includes(''))).toEqual([]);
});
