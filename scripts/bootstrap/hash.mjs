import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from './paths.mjs';

/** Computes one hash of the files' names and contents. */
export function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    hash.update(path.relative(repository, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** All files below the folder that the test accepts, packages and generated code left out. */
export function listFiles(folder, accepts) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'gen', 'dist'].includes(entry.name) ? [] : listFiles(file, accepts);
    return accepts(entry.name) ? [file] : [];
  });
}

/** A stamp remembers the hash of what a step was done with. */
export function isStamped(file, hash) {
  try {
    return readFileSync(file, 'utf8') === hash;
  } catch {
    return false;
  }
}

export function stamp(file, hash) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, hash);
}
