import { mkdirSync, rmSync } from 'node:fs';
import type { DataFolder } from './folder.ts';

/** Removes what the platform keeps in its folder, and nothing else that may be there. */
export function removeKept(folder: DataFolder): void {
  const { state, secrets, demo, demoKey, postgres, nats, blobs, logs } = folder;
  const kept = [state, secrets, demo, demoKey, postgres, `${postgres}.initialised`, nats, blobs, logs];
  for (const file of kept) rmSync(file, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
}
