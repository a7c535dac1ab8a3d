import { mkdirSync, rmSync } from 'node:fs';
import type { DataFolder } from './folder.ts';
import { PRIVATE_FOLDER } from './private.ts';

/** Removes the platform's files from its folder, and no other files. */
export function removeKept(folder: DataFolder): void {
  const { state, secrets, demo, demoKey, postgres, nats, blobs, logs } = folder;
  const kept = [state, secrets, demo, demoKey, postgres, `${postgres}.initialised`, nats, blobs, logs];
  for (const file of kept) rmSync(file, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true, mode: PRIVATE_FOLDER });
}
