import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY, sectionOf } from './page.ts';

const page = readText('docs/data-model.md');
const services = readdirSync(path.join(REPOSITORY, 'services')).toSorted();

function tablesOfSchema(schema: string): string[] {
  return [...schema.matchAll(/^table (\w+)/gm)].map(([, name]) => name!).toSorted();
}

/** Tables of a section of the page, with the services in brackets behind them. */
function tablesOf(section: string): { name: string; users: string }[] {
  const lines = sectionOf(page, section).matchAll(/^- `(\w+)`(?:\s+\(([^)]+)\))?:\s/gm);
  return [...lines].map(([, name = '', users = '']) => ({ name, users }));
}

/** The tables that the page gives a service: those of its section, and the shared ones that name it. */
function tablesOnPage(service: string): string[] {
  const shared = tablesOf('Shared tables').filter(
    ({ users }) => users === 'all' || users.split(/,\s+/).includes(service),
  );
  return [...shared, ...tablesOf(service)].map(({ name }) => name).toSorted();
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
