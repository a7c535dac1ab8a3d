import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** Environment variables of this package. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return {
    searchPath: (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== ''),
    cacheDir: path.join(env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'parley'),
    dataDir: path.resolve(REPOSITORY, env.PARLEY_DATA_DIR || '.parley/local'),
    port: readPort(env.PARLEY_PORT || '8080'),
    wireName: env.PARLEY_WIRE_NAME || 'svc',
    // Handed on to the platform's processes.
    inherited: env,
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`PARLEY_PORT must be a port number, not ${JSON.stringify(text)}.`);
}
