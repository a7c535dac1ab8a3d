// Bundles every process that this checkout has: <folder>/src/main.ts -> <folder>/dist/main.js. Up-to-date bundles are
// left alone.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { bundle } from './build/bundle.ts';
import { isUpToDate } from './build/inputs.ts';
import { REPOSITORY } from './build/paths.ts';

function listFolders(): string[] {
  const services = readdirSync(path.join(REPOSITORY, 'services')).map((name) => path.join('services', name));
  return [...services, 'gateway', 'console/server', 'cli', 'demo'].filter((folder) =>
    existsSync(path.join(REPOSITORY, folder, 'src', 'main.ts')),
  );
}

const outdated = listFolders().filter((folder) => !isUpToDate(folder));
if (outdated.length > 0) process.stderr.write(`Building ${outdated.join(', ')} …\n`);
// esbuild has printed the errors by then.
await Promise.all(outdated.map(bundle)).catch(() => process.exit(1));
