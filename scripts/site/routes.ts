import path from 'node:path';

/** Pages outside `docs/`, and where the site has them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': '',
  'CONTRIBUTING.md': 'contributing',
  'CHANGELOG.md': 'changelog',
  'SECURITY.md': 'security',
  'DECISIONS.md': 'decisions',
  'deploy/README.md': 'deploying',
};

/** The file from which the front page is made. */
export const FRONT_PAGE = 'README.md';

/** Files that the site has: `docs`, and the documents beside it. */
export const SOURCES = [...Object.keys(ELSEWHERE), 'docs/**/*.{md,sh}'];

/** Documents that the gateway serves by itself. */
const SERVED: Readonly<Record<string, string>> = {
  'docs/openapi.json': '/openapi.json',
  'docs/asyncapi.json': '/asyncapi.json',
};

/**
 * The path of a source file's page below `/docs/`, without slashes around it: `guides/quick-start`; the empty text is the front
 * page. Undefined for a file without a page.
 */
export function routeOf(file: string): string | undefined {
  const elsewhere = ELSEWHERE[file];
  if (elsewhere !== undefined) return elsewhere;
  const { dir, name, ext } = path.posix.parse(file);
  const folder = path.posix.relative('docs', dir);
  if (folder.startsWith('..')) return undefined;
  if (ext === '.sh') return path.posix.join(folder, `${name}-sh`);
  if (ext !== '.md') return undefined;
  return /^(README|index)$/.test(name) ? folder : path.posix.join(folder, name);
}

/** The address at which a running gateway serves a file of the repository by itself. */
export function servedAt(file: string): string | undefined {
  return SERVED[file];
}
