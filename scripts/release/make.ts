import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nameCommit } from './changelog.ts';
import { gitOutput } from './git.ts';
import type { ReleasePlan } from './plan.ts';

/**
 * Writes and commits what was planned, tags that commit `v<version>`, and names it in CHANGELOG.md in a second commit, from which on
 * the checks compare with this release. The commit of the release.
 */
export function makeRelease(folder: string, version: string, { files }: ReleasePlan): string {
  for (const [file, text] of files) writeFileSync(path.join(folder, file), text);
  gitOutput(folder, 'commit', '--quiet', '--all', '--message', `release: Make ${version}.`);
  const commit = gitOutput(folder, 'rev-parse', 'HEAD');
  gitOutput(folder, 'tag', '--annotate', `v${version}`, '--message', `Parley ${version}`);
  const changelog = path.join(folder, 'CHANGELOG.md');
  writeFileSync(changelog, nameCommit(readFileSync(changelog, 'utf8'), version, commit));
  gitOutput(folder, 'commit', '--quiet', '--all', '--message', `release: Name the commit of ${version}.`);
  return commit;
}
