import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './paths.ts';

// What a bundle was made of: a hash of each source file, packages standing for themselves by the lockfile.
type Inputs = Record<string, string>;

const ALWAYS = ['pnpm-lock.yaml'];

export function inputsFile(folder: string): string {
  return path.join(REPOSITORY, folder, 'dist', 'inputs.json');
}

/** `files` with the script that makes the bundle among them. */
export function describeInputs(files: string[]): Inputs {
  const sources = files.filter((file) => !file.includes('node_modules/'));
  return Object.fromEntries([...ALWAYS, ...sources].sort().map((file) => [file, hashOf(file)]));
}

/** Whether the bundle, such as `main.js`, is there and made of the present sources. */
export function isUpToDate(folder: string, bundle = 'main.js'): boolean {
  try {
    const inputs = JSON.parse(readFileSync(inputsFile(folder), 'utf8')) as Inputs;
    const isThere = existsSync(path.join(REPOSITORY, folder, 'dist', bundle));
    return isThere && Object.entries(inputs).every(([file, hash]) => hashOf(file) === hash);
  } catch {
    return false;
  }
}

function hashOf(file: string): string {
  return createHash('sha1')
    .update(readFileSync(path.join(REPOSITORY, file)))
    .digest('base64');
}
