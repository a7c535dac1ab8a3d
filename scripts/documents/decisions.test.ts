import { globSync } from 'node:fs';
import { readText, REPOSITORY, rowsOf } from './page.ts';

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

test('every dependency has a row that says why, and every row its dependency', () => {
  const exclude = (name: string) => /(^|\/)(node_modules|dist|gen)(\/|$)/.test(name);
  const manifests = globSync('**/package.json', { cwd: REPOSITORY, exclude }).map(
    (file) => JSON.parse(readText(file)) as Manifest,
  );
  const used = new Set(manifests.flatMap(namesIn).filter((name) => !name.startsWith('@parley/')));
  const listed = rowsOf(readText('docs/decisions/dependencies.md')).flatMap(([names = '']) =>
    names.split(', '),
  );
  const isListed = (name: string) => listed.some((one) => matches(one, name));
  expect([...used].filter((name) => !isListed(name))).toEqual([]);
  expect(listed.filter((one) => ![...used].some((name) => matches(one, name)))).toEqual([]);
});

function matches(listed: string, name: string): boolean {
  return listed.endsWith('/*') ? name.startsWith(listed.slice(0, -1)) : listed === name;
}
