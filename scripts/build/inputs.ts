import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './paths.ts';

// What a bundle was made of: a hash of each source file, packages standing for themselves by the lockfile.
type Inputs = Record<string, string>;

const ALWAYS = ['pnpm-lock.yaml', 'scripts/build/bundle.ts'];

export function inputsFile(folder: string): string {
  return path.join(REPOSITORY, folder, 'dist', 'inputs.json');
}

export function describeInputs(files: string[]): Inputs {
  const sources = files.filter((file) => !file.includes('node_modules/'));
  return Object.fromEntries([...ALWAYS, ...sources].sort().map((file) => [file, hashOf(file)]));
}

export function isUpToDate(folder: string): boolean {
  try {
    const inputs = JSON.parse(readFileSync(inputsFile(folder), 'utf8')) as Inputs;
    const isThere = existsSync(path.join(REPOSITORY, folder, 'dist', 'main.js'));
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
