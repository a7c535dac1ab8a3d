import { readText } from './page.ts';

test.each(['docs/performance.md', 'docs/reliability.md'])(
  '%s is a page of today, whose history is data beside it',
  (page) => {
    expect(readText(page).split('\n').length).toBeLessThanOrEqual(150);
  },
);

test.each(['docs/performance/benchmark', 'docs/performance/measurements', 'docs/reliability/campaigns'])(
  'each line of %s.tsv has a cell for each column',
  (table) => {
    const lines = readText(`${table}.tsv`).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(20);
    expect([...new Set(lines.map((line) => line.split('\t').length))]).toHaveLength(1);
  },
);
