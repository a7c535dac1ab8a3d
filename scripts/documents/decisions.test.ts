import { globSync } from 'node:fs';
import { readText, REPOSITORY, tableOf } from './page.ts';

const index = readText('DECISIONS.md');

type Manifest = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', object>>;

function namesIn(manifest: Manifest): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
}

test('the index of the decisions links every page', () => {
  const pages = globSync('docs/decisions/*.md', { cwd: REPOSITORY });
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

test('the headings of a page of decisions are different', () => {
  for (const page of globSync('docs/decisions/*.md', { cwd: REPOSITORY })) {
    const headings = readText(page).match(/^#+ .+$/gm) ?? [];
    expect([page, headings.map((heading) => heading.replace(/^#+ /, ''))]).toEqual([
      page,
      [...new Set(headings.map((heading) => heading.replace(/^#+ /, '')))],
    ]);
  }
});

test('a decision has three paragraphs at most, of which the last may say what was rejected', () => {
  const decisions = globSync('docs/decisions/*.md', { cwd: REPOSITORY }).flatMap((page) =>
    readText(page)
      .split(/^## /m)
      .slice(1)
      .map((section) => ({ page, paragraphs: section.trim().split(/\n{2,}/) })),
  );
  expect(decisions.length).toBeGreaterThan(100);
  const isLong = ({ paragraphs: [, ...texts] }: (typeof decisions)[number]) => texts.length > 3;
  expect(decisions.filter(isLong).map(({ page, paragraphs: [title] }) => `${page}: ${title}`)).toEqual([]);
});

test('every dependency has a line that says why, and every line its dependency', () => {
  const exclude = (name: string) => /(^|\/)(node_modules|dist|gen)(\/|$)/.test(name);
  const manifests = globSync('**/package.json', { cwd: REPOSITORY, exclude }).map(
    (file) => JSON.parse(readText(file)) as Manifest,
  );
  const used = new Set(manifests.flatMap(namesIn).filter((name) => !name.startsWith('@parley/')));
  const listed = tableOf('docs/decisions/dependencies.tsv').flatMap(([names = '']) => names.split(', '));
  const isListed = (name: string) => listed.some((one) => matches(one, name));
  expect([...used].filter((name) => !isListed(name))).toEqual([]);
  expect(listed.filter((one) => ![...used].some((name) => matches(one, name)))).toEqual([]);
});

function matches(listed: string, name: string): boolean {
  return listed.endsWith('/*') ? name.startsWith(listed.slice(0, -1)) : listed === name;
}
