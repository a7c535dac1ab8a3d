import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { readConfig } from '../config.ts';
import { unpackDebianPackage } from './download.ts';

/** The nats-server of the PATH, else that in the cache, else Debian's package unpacked into the cache. */
export async function obtainNatsServer({ searchPath, cacheDir } = readConfig()): Promise<string> {
  const found = searchPath.map((folder) => path.join(folder, 'nats-server')).find(isExecutable);
  if (found) return found;
  const cached = path.join(cacheDir, `nats-server-${process.arch}`);
  if (isExecutable(cached)) return cached;
  try {
    await unpackDebianPackage(cacheDir, cached);
  } catch (cause) {
    throw new Error(
      'nats-server is not in the PATH and could not be fetched from Debian: install it (https://nats.io/download)',
      { cause },
    );
  }
  return cached;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
