// Builds what the platform hands out at /library, unless it was built from the same sources before: `.parley/library/<hash>`, to which
// the link `.parley/library/current` points afterwards.
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pointToBuild } from '../bootstrap/builds.mjs';
import { hashFiles, listFiles } from '../bootstrap/hash.mjs';
import { withLock } from '../bootstrap/lock.mjs';
import { REPOSITORY } from '../build/paths.ts';
import { bundleCli, CLI_BUNDLE } from './cli.ts';
import { packLibrary } from './pack.ts';

const BUILDS = path.join(REPOSITORY, '.parley', 'library');
/** Sources of the packages, and of how they are built. */
const FOLDERS = [
  ...['packages/client/src', 'packages/client/gen', 'packages/contract/gen', 'packages/react/src'],
  'packages/react-ui/src',
  ...['packages/create/src', 'packages/create/template', 'scripts/library'],
];
const FILES = [
  ...['client', 'react', 'react-ui', 'create'].flatMap((name) => [
    `packages/${name}/package.json`,
    `packages/${name}/README.md`,
  ]),
  ...['cli/package.json', 'cli/README.md', 'package.json', 'pnpm-lock.yaml', 'LICENSE'],
];

await withLock(path.join(REPOSITORY, '.parley', 'library.lock'), async () => {
  await bundleCli();
  const inFolders = FOLDERS.flatMap((folder) => listFiles(path.join(REPOSITORY, folder), () => true));
  const files = [...inFolders, CLI_BUNDLE, ...FILES.map((file) => path.join(REPOSITORY, file))];
  const hash = hashFiles(files).slice(0, 16);
  const built = path.join(BUILDS, hash);
  if (!existsSync(built)) {
    process.stderr.write('Building the client library …\n');
    rmSync(`${built}.new`, { recursive: true, force: true });
    await packLibrary(`${built}.new`);
    renameSync(`${built}.new`, built);
  }
  pointToBuild(BUILDS, hash);
});
