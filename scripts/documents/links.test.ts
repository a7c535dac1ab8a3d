import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY } from './page.ts';

const exclude = (name: string) => /(^|\/)(node_modules|dist|gen|\.parley|site\/pages)(\/|$)/.test(name);
const pages = globSync('**/*.md', { cwd: REPOSITORY, exclude });
const roots = '{packages,services,gateway,cli,demo,deploy,test,scripts,proto}';
const files = globSync(`${roots}/**/*.{ts,tsx,js,mjs,cjs,sql,proto,yaml,sh}`, { cwd: REPOSITORY, exclude });

/** `[text](link)`, or `[name]: link` on a line of its own. */
const LINK = /\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm;

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
}

/** A file or folder of the repository in a code span. */
const NAMED =
  /`((?:packages|services|gateway|cli|demo|deploy|test|scripts|proto|docs)\/(?!gen\b)[\w./-]*\w)\/?`/g;

/** A page, or a heading of one, that a comment names. */
const CITATION = /\b(?:docs\/[\w/-]+|deploy\/README|README|CONTRIBUTING|DECISIONS|SECURITY)\.md(?:#[\w-]+)?/g;

/** Papers that the repository does not have, and sections of them. */
const ABSENT = /\bSPEC [A-Za-z]+|\bcompletions \d+/g;

const anchors = new Map<string, Set<string>>();

/** The anchors of a page's headings, as GitHub makes them: the second one of a name ends in `-1`, and so on. */
function anchorsOf(file: string): Set<string> {
  const known = anchors.get(file);
  if (known) return known;
  const counts = new Map<string, number>();
  const found = new Set<string>();
  const headings = readText(file)
    .replaceAll(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.+)$/gm);
  for (const [, heading = ''] of headings) {
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    found.add(count === 0 ? slug : `${slug}-${count}`);
  }
  anchors.set(file, found);
  return found;
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function isBroken(page: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? page : path.join(path.dirname(page), target);
  if (!existsSync(path.join(REPOSITORY, file))) return true;
  return anchor !== undefined && !anchorsOf(file).has(anchor);
}

test.each(pages)('every link of %s leads to a file and a heading of the repository', (page) => {
  const links = [...withoutCode(readText(page)).matchAll(LINK)].map(([, inline, named]) => inline ?? named!);
  const own = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(own.filter((link) => isBroken(page, link))).toEqual([]);
});

test('every file and folder of the repository that a page names exists', () => {
  const current = pages.filter((page) => page !== 'CHANGELOG.md');
  const named = current.flatMap((page) =>
    [...readText(page).matchAll(NAMED)].map(([, file]) => ({ page, file: file! })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file }) => !existsSync(path.join(REPOSITORY, file)))).toEqual([]);
});

test('every page and heading that a comment names exists', () => {
  expect(files.length).toBeGreaterThan(500);
  const broken = files.flatMap((file) =>
    [...readText(file).matchAll(CITATION)]
      .filter(([link]) => isBroken('README.md', link))
      .map(([link]) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('nothing cites a text that is not in the repository', () => {
  const own = path.relative(REPOSITORY, import.meta.filename);
  const cited = [...files, ...pages]
    .filter((file) => file !== own)
    .flatMap((file) => (readText(file).match(ABSENT) ?? []).map((citation) => `${file}: ${citation}`));
  expect(cited).toEqual([]);
});
