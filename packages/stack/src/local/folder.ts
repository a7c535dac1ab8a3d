import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { PRIVATE_FOLDER } from './private.ts';

export type DataFolder = ReturnType<typeof openDataFolder>;

/** The places inside a data folder. */
export function openDataFolder(dataDir: string) {
  const root = path.resolve(dataDir);
  const at = (...names: string[]) => path.join(root, ...names);
  mkdirSync(at('logs'), { recursive: true, mode: PRIVATE_FOLDER });
  return {
    root,
    lock: at('lock.json'),
    state: at('state.json'),
    secrets: at('secrets.json'),
    demo: at('demo.json'),
    demoKey: at('demo-private-key.pem'),
    postgres: at('postgres'),
    nats: at('nats'),
    blobs: at('blobs'),
    logs: at('logs'),
    runs: at('run'),
    log: (name: string) => at('logs', `${name}.log`),
  };
}
