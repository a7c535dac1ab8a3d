// Makes a release: `npm run generate -- release <version> [--dry-run]`. Bumps the version everywhere, moves the unreleased changes of
// CHANGELOG.md below it, commits, tags, and names the commit. Pushes nothing.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isInHistory, lastRelease } from '../packages/stack/src/release.ts';
import { REPOSITORY } from './build/paths.ts';
import { makeRelease } from './release/make.ts';
import { planRelease } from './release/plan.ts';

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [version = ''] = positionals;
const plan = planRelease(REPOSITORY, version);
const problems = [...plan.problems, ...comparisonProblems()];
say(`${plan.current} -> ${version}`);
for (const file of plan.files.keys()) say(`  ${file}`);
for (const problem of problems) say(problem);
if (problems.length > 0) process.exit(1);
if (values['dry-run']) {
  say('Nothing was changed.');
} else {
  const commit = makeRelease(REPOSITORY, version, plan);
  say(`Release ${version} is commit ${commit}, tag v${version}.`);
  say(
    `Next: npm run generate -- baseline; commit its folder; git push --follow-tags; build the image (deploy/README.md).`,
  );
}

/** The protocol between processes is compared with the last release, which the history has to have for that. */
function comparisonProblems(): string[] {
  if (!isInHistory(lastRelease())) return ['The history lacks the last release: git fetch --unshallow.'];
  const script = path.join(REPOSITORY, 'scripts', 'check', 'compatibility.ts');
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' });
  return status === 0 ? [] : ['The protocol does not work beside the last release.'];
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
