import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pointToBuild } from './builds.mjs';
import { hashFiles, isStamped, listFiles, stamp } from './hash.mjs';
import { inRepository, nodeBinary } from './paths.mjs';
import { run } from './run.mjs';
import { pnpm } from './steps.mjs';

const SITE = inRepository('site');
const FINISH = inRepository('scripts', 'site', 'finish.ts');
const REFERENCE = inRepository('scripts', 'site', 'reference.ts');
/** Of what the reference of the client library and the stories of the components are made, beside the pages. */
const LIBRARY = [
  ...['packages/client/src', 'packages/client/gen', 'packages/react/src', 'packages/contract/gen'],
  ...['packages/react-ui/src', 'packages/react-ui/stories'],
];
/** Whose work is done after the sources were compared. */
const SCRIPTS = ['finish.ts', 'reference.ts', 'reference-links.ts', 'slugify.ts'].map((name) =>
  inRepository('scripts', 'site', name),
);
const BUILDS = inRepository('.parley', 'site');

/**
 * Builds the documentation, unless it was built from the same sources before: `.parley/site/<hash of the sources>`, to which the link
 * `.parley/site/current` points afterwards.
 */
export function buildSite() {
  run(nodeBinary, [inRepository('scripts', 'site', 'stage.ts')]);
  const library = LIBRARY.flatMap((folder) => listFiles(inRepository(folder), () => true));
  const hash = hashFiles([...listFiles(SITE, () => true), ...library, ...SCRIPTS]).slice(0, 16);
  const built = path.join(BUILDS, hash);
  if (!existsSync(built)) {
    process.stderr.write('Building the documentation …\n');
    mkdirSync(BUILDS, { recursive: true });
    installPackages();
    run(nodeBinary, [REFERENCE]);
    const draft = `${built}.new`;
    rmSync(draft, { recursive: true, force: true });
    run(nodeBinary, [
      inRepository('site', 'node_modules', 'vitepress', 'bin', 'vitepress.js'),
      'build',
      SITE,
      '--outDir',
      draft,
    ]);
    run(nodeBinary, [FINISH, draft]);
    renameSync(draft, built);
  }
  pointToBuild(BUILDS, hash);
}

/** The packages of the site's own lockfile. They are not a part of the workspace, so that nothing else waits for them. */
function installPackages() {
  const names = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc'];
  const hash = hashFiles(names.map((name) => path.join(SITE, name)));
  const stampFile = path.join(SITE, 'node_modules', '.cache', 'parley', 'install');
  if (isStamped(stampFile, hash)) return;
  const [command, ...args] = pnpm();
  run(command, [...args, 'install', '--frozen-lockfile', '--reporter=append-only'], {
    cwd: SITE,
    env: { CI: 'true' },
  });
  stamp(stampFile, hash);
}
