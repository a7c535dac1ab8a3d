import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { testWith } from '@parley/testing';
import { routeOf } from '../../scripts/site/routes.ts';
import { slugify } from '../../scripts/site/slugify.ts';
import { DEPLOY_FOLDER, readDocuments, renderProduction, REPOSITORY } from './render.ts';

/** A row, which heads the panels below it, has no targets. */
type Panel = { title: string; type: string; targets?: { expr: string }[] };
type Rule = {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string; runbook_url: string };
};

const folder = path.join(DEPLOY_FOLDER, 'components', 'monitoring');
const dashboard = JSON.parse(readFileSync(path.join(folder, 'dashboard.json'), 'utf8')) as {
  panels: Panel[];
};
const [rules] = readDocuments('components/monitoring/rules.yaml') as unknown as [
  { spec: { groups: { rules: Rule[] }[] } },
];
const alerts = rules.spec.groups.flatMap((group) => group.rules);

/** Names of all metrics that the processes declare, and of those that every Node process has. */
function knownMetrics(): Set<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const declared = sources().flatMap((text) =>
    [...text.matchAll(/\.(?:counter|gauge|histogram|reading)(?:<[^>]*>)?\(\{\s*name: '([a-z_]+)'/g)].map(
      (match) => match[1]!,
    ),
  );
  return new Set([...names, ...declared, 'up']);
}

function sources(): string[] {
  const roots = [
    'packages/kit/src',
    'packages/http/src',
    'packages/usage/src',
    'gateway/src',
    'console/server/src',
    ...readdirSync(path.join(REPOSITORY, 'services')).map((name) => `services/${name}/src`),
  ];
  return roots.flatMap((root) =>
    readdirSync(path.join(REPOSITORY, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(path.join(REPOSITORY, root, name), 'utf8')),
  );
}

/** Names of metrics in a query: what has labels or a range behind it, or stands alone in an aggregation. */
function metricsOf(query: string): string[] {
  const words = query
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\b(by|without) \([^)]*\)/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .match(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g);
  const plain = (words ?? []).filter((word) => word.includes('_') || word === 'up');
  return plain.map((word) => word.replace(/_(bucket|count|sum)$/, ''));
}

test('every query of the dashboard and of the alerts asks for metrics that there are', () => {
  const known = knownMetrics();
  const queries = [...dashboard.panels.flatMap(({ targets = [] }) => targets), ...alerts].map(
    ({ expr }) => expr,
  );
  for (const query of queries) {
    const asked = metricsOf(query);
    expect(asked.length).toBeGreaterThan(0);
    for (const name of asked)
      expect({ query, name, known: known.has(name) }).toEqual({ query, name, known: true });
  }
});

test('a metric that there is not would be found', () => {
  expect(metricsOf('rate(no_such_metric_total{a="b_c"}[5m])')).toEqual(['no_such_metric_total']);
  expect(knownMetrics().has('no_such_metric_total')).toBe(false);
});

test('every alert says what is wrong and what to look at', () => {
  for (const { alert, annotations } of alerts) {
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.runbook).toMatch(/\S/);
    expect(annotations.runbook_url).toBe(
      `https://parley.example.com/docs/operations/#${alert.toLowerCase()}`,
    );
  }
});

test('every link of an alert leads to a page and an anchor that the site has', () => {
  const page = readFileSync(path.join(REPOSITORY, 'docs', 'operations.md'), 'utf8');
  const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugify(heading!));
  for (const { annotations } of alerts) {
    const { pathname, hash } = new URL(annotations.runbook_url);
    expect(pathname).toBe(`/docs/${routeOf('docs/operations.md')}/`);
    expect(anchors).toContain(hash.slice(1));
  }
});

testWith('kubectl', 'the links have the address by which clients reach the installation', () => {
  const rendered = renderProduction({
    config: (text) => text.replace('https://parley.example.com', 'http://chat.example.org:8443'),
  });
  const rule = rendered.find(({ kind }) => kind === 'PrometheusRule') as unknown as typeof rules;
  expect(
    rule.spec.groups.flatMap((group) => group.rules).map(({ annotations }) => annotations.runbook_url),
  ).toEqual(
    alerts.map(({ alert }) => `http://chat.example.org:8443/docs/operations/#${alert.toLowerCase()}`),
  );
});
