import { globSync } from 'node:fs';
import { readText, REPOSITORY, tableOf } from './page.ts';

/** Jobs of the table: the service, and the job with its interval, how it finds its work, and what becomes of a failure. */
const rows = tableOf('docs/periodic-work.tsv');

/** Jobs of the services' own code, and of kit's, by the name that their callers give them. */
function jobsIn(pattern: string): string[] {
  const files = globSync(pattern, { cwd: REPOSITORY }).filter(
    (file) => !/\.test\.ts$|\/testing\//.test(file),
  );
  return files.flatMap((file) => {
    const text = readText(file);
    if (!/\b(?:startJobs|every)\((?:ctx|base|\{)/.test(text)) return [];
    const names = text.matchAll(/\bname(?:: | = )(?:'([a-z-]+)'|`([a-z-]+)\$\{stream\}`)/g);
    return [...names].map(([, name, prefix]) => name ?? `${prefix}EVENTS`);
  });
}

const listed = (service: string): string[] => rows.filter(([of]) => of === service).map(([, job]) => job!).toSorted(); // prettier-ignore
const services = globSync('services/*', { cwd: REPOSITORY }).map((folder) => folder.split('/')[1]!);

test.each(services)('the table lists the periodic work of %s, and no other', (service) => {
  const jobs = jobsIn(`services/${service}/src/**/*.ts`).toSorted();
  expect(jobs.length).toBeGreaterThan(1);
  expect(listed(service)).toEqual(jobs);
});

test('and that of all services', () => {
  const shared = rows.filter(([service]) => !services.includes(service!)).map(([, job]) => job!);
  expect(shared.toSorted()).toEqual(jobsIn('packages/{kit,events}/src/**/*.ts').toSorted());
});

test('every job says how it finds its work, and what becomes of one that fails', () => {
  expect(rows.filter((row) => row.length !== 5 || row.some((cell) => cell === ''))).toEqual([]);
});
