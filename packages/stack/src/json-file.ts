import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Undefined when there is no such file. */
export function readJsonFile<T>(file: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return JSON.parse(text) as T;
}

/** Readers see the old file or the new one, never half of it. Only the owner may read it: these files hold secrets. */
export function writeJsonFile(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
