import { globSync } from 'node:fs';
import { readText, REPOSITORY, sectionOf, tableOf } from './page.ts';

const page = readText('docs/operations.md');
const sources = globSync(
  ['packages/*/src/**/*.ts', 'gateway/src/**/*.ts', 'console/server/src/**/*.ts', 'services/*/src/**/*.ts'],
  { cwd: REPOSITORY },
)
  .filter((file) => !file.endsWith('.test.ts'))
  .map(readText);

test('every alert has a section that says what to do, and no section lacks its alert', () => {
  const rules = readText('deploy/components/monitoring/rules.yaml');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(5);
  const sections = sectionOf(page, 'Alerts').split('\n### ').slice(1);
  expect(sections.map((section) => section.split('\n', 1)[0]).toSorted()).toEqual(alerts.toSorted());
  for (const section of sections) expect(section).toMatch(/\n\n\S[^]*\.\s*$/);
});

test('the table lists every metric that the processes declare', () => {
  const declared = sources.flatMap((text) =>
    [...text.matchAll(/\.(counter|gauge|histogram|reading)(?:<[^>]*>)?\(\{\s*name: '([a-z_]+)'/g)].map(
      ([, type, name]) => `${name} ${type === 'reading' ? 'gauge' : type}`,
    ),
  );
  const listed = tableOf('docs/metrics.tsv').map(([name, type]) => `${name} ${type}`);
  expect(listed).toEqual([...new Set(declared)].toSorted());
});

test('the log lines of the table are in the code', () => {
  const lines = tableOf('docs/log-lines.tsv').map(([line = '']) => line);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !sources.some((text) => text.includes(line)))).toEqual([]);
});
