import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { readText, REPOSITORY } from './page.ts';

const pages = globSync(['*.md', 'docs/**/*.md', 'deploy/*.md'], { cwd: REPOSITORY });

/** `[text](link)`, or `[name]: link` on a line of its own. */
const LINK = /\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm;

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const headings = readText(file)
    .replaceAll(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
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

test('every page and heading that a comment names exists', () => {
  const exclude = (name: string) => /(^|\/)(node_modules|dist|gen)(\/|$)/.test(name);
  const roots = '{packages,services,gateway,cli,demo,deploy,test,scripts,proto}';
  const files = globSync(`${roots}/**/*.{ts,js,mjs,sql,proto,yaml,sh}`, { cwd: REPOSITORY, exclude });
  expect(files.length).toBeGreaterThan(500);
  const broken = files.flatMap((file) =>
    [...readText(file).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)]
      .filter(([link]) => isBroken('README.md', link))
      .map(([link]) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});
