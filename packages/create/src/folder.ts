import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Application } from './application.ts';
import { Failure } from './failure.ts';

const PRIVATE_FILE = 0o600;
/** npm leaves out of packages what is named so. */
const RENAMED = { 'gitignore.txt': '.gitignore', 'package.template.json': 'package.json' };

/** Makes the folder of a new application. Fails with a Failure if it has files, so that nothing is written over. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length === 0) return;
  } catch (error) {
    throw new Failure(`${folder} cannot be made: ${(error as Error).message}`, { cause: error });
  }
  throw new Failure(`${folder} is not empty: choose another folder.`);
}

/** A name for package.json: what npm takes of the folder's name. */
export function packageNameOf(folder: string): string {
  const words = path
    .basename(path.resolve(folder))
    .toLowerCase()
    .split(/[^a-z0-9]/);
  const name = words
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 100);
  return name === '' || name === 'node-modules' ? 'my-chat' : name;
}

type Written = { packageFolder: string; origin: string; application: Application };

/** Writes the application. The settings come first: the private key is nowhere else. */
export function writeApplication(folder: string, { packageFolder, origin, application }: Written): void {
  const file = path.join(folder, '.env');
  writeFileSync(file, settings(origin, application), { mode: PRIVATE_FILE, flag: 'wx' });
  chmodSync(file, PRIVATE_FILE);
  cpSync(path.join(packageFolder, 'template'), folder, { recursive: true });
  for (const [from, to] of Object.entries(RENAMED))
    renameSync(path.join(folder, from), path.join(folder, to));
  cpSync(path.join(packageFolder, 'vendor'), path.join(folder, 'vendor'), { recursive: true });
  const manifest = path.join(folder, 'package.json');
  const text = readFileSync(manifest, 'utf8').replace('"my-chat"', JSON.stringify(packageNameOf(folder)));
  writeFileSync(manifest, text);
}

function settings(origin: string, { appId, providerId, keyId, privateKey }: Application): string {
  return [
    '# Vite puts names that begin with VITE_ into the page, and no others.',
    `VITE_PARLEY_URL=${origin}`,
    `VITE_PARLEY_APP_ID=${appId}`,
    '',
    '# For the login backend alone. Whoever has the key can log in as anybody.',
    `PARLEY_PROVIDER_ID=${providerId}`,
    `PARLEY_KEY_ID=${keyId}`,
    `PARLEY_PRIVATE_KEY="${privateKey.replaceAll('\r', '').replaceAll('\n', '\\n')}"`,
    '',
  ].join('\n');
}
