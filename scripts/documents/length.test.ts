import { globSync } from 'node:fs';
import { readText, REPOSITORY } from './page.ts';

/**
 * Most words of all pages, as `git ls-files '*.md' | xargs cat | wc -w` counts them. 70,000 told what the first release had and its
 * design; a feature may add its guide and its protocol, to 90,000 at most.
 */
const MOST_WORDS = 81_000;
const pages = globSync('**/*.md', {
  cwd: REPOSITORY,
  exclude: (name) => /(?:^|\/)(?:node_modules|dist|\.parley)$|^site\/pages$/.test(name),
});

test('all documents together can be read', () => {
  const words = pages.flatMap((page) => readText(page).split(/\s+/).filter(Boolean));
  expect(pages.length).toBeGreaterThan(70);
  expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
});

test.each(['docs/performance.md', 'docs/reliability.md'])(
  '%s is a page of today, whose history is data beside it',
  (page) => {
    expect(readText(page).split('\n').length).toBeLessThanOrEqual(150);
  },
);

const tables = globSync('docs/**/*.tsv', { cwd: REPOSITORY });

test.each(tables)('each line of %s has a cell for each column', (table) => {
  const lines = readText(table).replace(/\n+$/, '').split('\n');
  expect(lines.length).toBeGreaterThan(3);
  expect([...new Set(lines.map((line) => line.split('\t').length))]).toHaveLength(1);
});

test('each table stands beside a page that leads to it', () => {
  const text = pages.map(readText).join('\n');
  expect(tables.filter((table) => !text.includes(table.split('/').at(-1) ?? ''))).toEqual([]);
});
