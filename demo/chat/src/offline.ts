import type { Client } from '@parley/client';

/** Whether a user has pulled the plug, as `useSyncExternalStore` reads it. */
export type OfflineSwitch = {
  /** Whether it is on. The connection may also be lost without it. */
  getSnapshot(): boolean;
  subscribe(changed: () => void): () => void;
  set(isOffline: boolean): void;
};

/** What the user does while offline is kept on the device; it is sent when the client is back. */
export function createOfflineSwitch(client: Client): OfflineSwitch {
  const listeners = new Set<() => void>();
  let isOn = false;
  return {
    getSnapshot: () => isOn,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    set(isOffline) {
      isOn = isOffline;
      if (isOffline) client.disconnect();
      else client.connect();
      switchUploads(client, isOffline);
      for (const changed of listeners) changed();
    },
  };
}

function switchUploads(client: Client, isOffline: boolean): void {
  for (const upload of client.uploads.getSnapshot().items) {
    upload.pause();
    if (!isOffline && upload.getSnapshot().status === 'paused') upload.resume();
  }
}
