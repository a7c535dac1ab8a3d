import { readFileSync } from 'node:fs';
import path from 'node:path';
import semver from 'semver';
import { moveUnreleased, unreleasedChanges } from './changelog.ts';
import { gitOutput } from './git.ts';
import { requiredVersion, type Contracts } from './required.ts';

/** Changes that a release makes: the new texts of files by their paths, and the problems that forbid it. */
export type ReleasePlan = { current: string; files: Map<string, string>; problems: string[] };

const OVERLAY = 'deploy/overlays/production/kustomization.yaml';
const DEPLOYING = 'deploy/README.md';
const CONTRACTS = ['openapi.json', 'asyncapi.json'] as const;

/** Reads the checkout in `folder`, and changes nothing. */
export function planRelease(folder: string, version: string): ReleasePlan {
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const { version: current } = JSON.parse(read('package.json')) as { version: string };
  const problems = findProblems({ folder, version, current, read });
  const files = new Map<string, string>();
  if (!semver.valid(version)) return { current, files, problems };
  files.set('CHANGELOG.md', moveUnreleased(read('CHANGELOG.md'), version));
  for (const file of manifests(folder)) {
    const before = read(file);
    const after = before.replace(`"version": "${current}"`, `"version": "${version}"`);
    if (after !== before) files.set(file, after);
  }
  files.set(OVERLAY, nameImage(read(OVERLAY), version));
  files.set(DEPLOYING, read(DEPLOYING).replaceAll(`/parley:${current}`, `/parley:${version}`));
  for (const name of CONTRACTS) files.set(`packages/contract/released/${name}`, read(`docs/${name}`));
  return { current, files, problems };
}

type Checked = { folder: string; version: string; current: string; read: (file: string) => string };

function findProblems({ folder, version, current, read }: Checked): string[] {
  if (semver.valid(version) !== version) return [`${version} is not a version such as 1.2.3.`];
  const problems: string[] = [];
  if (!semver.gt(version, current)) problems.push(`${version} does not come after ${current}.`);
  if (gitOutput(folder, 'status', '--porcelain'))
    problems.push('The tree has changes that are not committed.');
  if (gitOutput(folder, 'tag', '--list', `v${version}`))
    problems.push(`The tag v${version} is there already.`);
  if (!unreleasedChanges(read('CHANGELOG.md'))) problems.push('CHANGELOG.md has nothing below "Unreleased".');
  const required = requiredVersion(current, readContracts(read));
  if (semver.lt(version, required.version)) {
    problems.push(`The next version is at least ${required.version}: ${required.reasons.join('; ')}.`);
  }
  return problems;
}

function readContracts(read: (file: string) => string): Contracts {
  const readAll = (folder: string) =>
    Object.fromEntries(
      CONTRACTS.map((name) => [path.parse(name).name, JSON.parse(read(`${folder}/${name}`)) as unknown]),
    );
  return {
    released: readAll('packages/contract/released') as Contracts['released'],
    present: readAll('docs') as Contracts['present'],
  };
}

function manifests(folder: string): string[] {
  return gitOutput(folder, 'ls-files', 'package.json', '*/package.json').split('\n');
}

/** The digest of the image of the release before is left out: the new image has another. */
function nameImage(overlay: string, version: string): string {
  return overlay.replace(/^( +newTag:).*$/m, `$1 ${version}`).replace(/^ +digest:.*\n/m, '');
}
