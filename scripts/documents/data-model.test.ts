import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY, rowsOf, sectionOf } from './page.ts';

const page = readText('docs/data-model.md');
const services = readdirSync(path.join(REPOSITORY, 'services')).toSorted();

function tablesOfSchema(schema: string): string[] {
  return [...schema.matchAll(/^table (\w+)/gm)].map(([, name]) => name!).toSorted();
}

/** The tables that the page gives a service: those of its section, and the shared ones that name it. */
function tablesOnPage(service: string): string[] {
  const shared = rowsOf(sectionOf(page, 'Shared tables')).filter(
    ([, users = '']) => users === 'all' || users.split(', ').includes(service),
  );
  const own = rowsOf(sectionOf(page, service));
  return [...shared, ...own].map(([name]) => name!).toSorted();
}

test('the data model has a section for each service', () => {
  expect(services.length).toBeGreaterThan(5);
  for (const service of services) expect([service, sectionOf(page, service)]).not.toEqual([service, '']);
});

test.each(services)('the data model lists the tables of %s, and no others', (service) => {
  const schema = tablesOfSchema(readText(`services/${service}/schema.sql`));
  expect(schema.length).toBeGreaterThan(5);
  expect(tablesOnPage(service)).toEqual(schema);
});
