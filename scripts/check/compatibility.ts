// Checks that the protocol works beside the last release, and prints breaking changes. Skipped where the history lacks that release.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInHistory, lastRelease } from '../../packages/stack/src/release.ts';
import { REPOSITORY } from '../build/paths.ts';

const release = lastRelease();
if (!isInHistory(release)) {
  process.stdout.write(
    `Not compared with release ${release.version}: the history does not have it (git fetch --unshallow).\n`,
  );
  process.exit(0);
}
const folder = mkdtempSync(path.join(tmpdir(), 'parley-protocol-'));
try {
  const archive = execFileSync('git', ['archive', release.commit, 'proto'], { cwd: REPOSITORY });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const { status } = spawnSync('buf', ['breaking', '--against', path.join(folder, 'proto')], {
    cwd: path.join(REPOSITORY, 'proto'),
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
