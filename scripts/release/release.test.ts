import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseChangelog } from '../../packages/stack/src/release.ts';
import { REPOSITORY } from '../build/paths.ts';
import { gitOutput } from './git.ts';
import { makeRelease } from './make.ts';
import { planRelease } from './plan.ts';
import { requiredVersion, type Contracts } from './required.ts';

/** Files that a release reads and writes. */
const FILES = [
  ...['CHANGELOG.md', 'package.json', 'gateway/package.json', 'site/package.json', 'deploy/README.md'],
  'deploy/overlays/production/kustomization.yaml',
];

const root = mkdtempSync(path.join(tmpdir(), 'parley-release-'));
let folder: string;
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

/** A clone of a repository with those files, so that it does not matter what the checkout of the test has changed. */
function clone(): void {
  const origin = path.join(mkdtempSync(path.join(root, 'repository-')), 'origin');
  folder = path.join(path.dirname(origin), 'clone');
  execFileSync('git', ['init', '--quiet', origin]);
  for (const file of FILES) cpSync(path.join(REPOSITORY, file), path.join(origin, file));
  for (const folder of ['docs', 'packages/contract/released'])
    for (const name of ['openapi', 'asyncapi'])
      write(path.join(origin, folder, `${name}.json`), { info: { version: '3.0', title: folder } });
  commit(origin);
  execFileSync('git', ['clone', '--quiet', origin, folder]);
  for (const [key, value] of Object.entries({ 'user.name': 'Test', 'user.email': 'test@example.com' }))
    gitOutput(folder, 'config', key, value);
}
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, content: object): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

function commit(repository: string): void {
  gitOutput(repository, 'add', '--all');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  gitOutput(repository, ...author, 'commit', '--quiet', '--message', 'test');
}

test('a release bumps every version, moves the changes, tags its commit and names it', () => {
  clone();
  const plan = planRelease(folder, '0.2.0');
  expect(plan.problems).toEqual([]);
  const made = makeRelease(folder, '0.2.0', plan);
  expect(gitOutput(folder, 'rev-parse', 'v0.2.0^{commit}')).toBe(made);
  expect(parseChangelog(read('CHANGELOG.md'))).toEqual({ version: '0.2.0', commit: made });
  expect(read('CHANGELOG.md')).toMatch(/## Unreleased\n\n## 0\.2\.0\n\nCommit/);
  for (const file of FILES.filter((one) => one.endsWith('package.json')))
    expect(JSON.parse(read(file))).toMatchObject({ version: '0.2.0' });
  expect(read('deploy/overlays/production/kustomization.yaml')).toContain('newTag: 0.2.0');
  expect(read('deploy/README.md')).toContain('/parley:0.2.0');
  expect(read('packages/contract/released/openapi.json')).toBe(read('docs/openapi.json'));
  expect(gitOutput(folder, 'status', '--porcelain')).toBe('');
  expect(planRelease(folder, '0.2.1').problems).toEqual(['CHANGELOG.md has nothing below "Unreleased".']);
});

test('a plan changes nothing, and says everything that stands against it', () => {
  clone();
  expect(planRelease(folder, '0.2').problems).toEqual(['0.2 is not a version such as 1.2.3.']);
  writeFileSync(path.join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n## 0.1.0\n');
  gitOutput(folder, 'tag', 'v0.1.0');
  expect(planRelease(folder, '0.1.0').problems.slice(0, 4)).toEqual([
    '0.1.0 does not come after 0.1.0.',
    'The tree has changes that are not committed.',
    'The tag v0.1.0 is there already.',
    'CHANGELOG.md has nothing below "Unreleased".',
  ]);
  expect(gitOutput(folder, 'status', '--porcelain')).toBe(' M CHANGELOG.md');
});

describe('the lowest version that may follow', () => {
  const asyncapi = { info: { version: '3.0' } };
  const before = { openapi: { info: { version: '3.0' }, paths: { '/a': { get: {} } } }, asyncapi };
  const added = { openapi: { info: { version: '3.0' }, paths: { '/a': { get: {}, put: {} } } }, asyncapi };
  const newMajor = { openapi: { info: { version: '4.0' }, paths: {} }, asyncapi };
  test.each<[string, Contracts, string, string]>([
    ['the same contract', { released: before, present: before }, '1.4.3', '0.4.3'],
    ['an addition', { released: before, present: added }, '1.5.0', '0.4.3'],
    ['a removal', { released: added, present: before }, '2.0.0', '0.5.0'],
    ['a new major version of the protocol', { released: before, present: newMajor }, '2.0.0', '0.5.0'],
  ])('%s', (_, contracts, stable, early) => {
    expect(requiredVersion('1.4.2', contracts).version).toBe(stable);
    expect(requiredVersion('0.4.2', contracts).version).toBe(early);
  });
});
