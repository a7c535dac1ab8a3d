import type { Client } from '@parley/client';

/** Whether a user has pulled the plug, as `useSyncExternalStore` reads it. */
export type OfflineSwitch = {
  /** Whether it is on. The connection may also be lost without it. */
  getSnapshot(): boolean;
  subscribe(changed: () => void): () => void;
  set(isOffline: boolean): void;
  /** Another window of the user has set it: the client library takes all of them off the network. */
  follow(isOffline: boolean): void;
};

/** What the user does while offline is kept on the device; it is sent when the client is back. */
export function createOfflineSwitch(client: Client): OfflineSwitch {
  const listeners = new Set<() => void>();
  let isOn = false;
  function follow(isOffline: boolean): void {
    isOn = isOffline;
    for (const changed of listeners) changed();
  }
  return {
    getSnapshot: () => isOn,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    set(isOffline) {
      if (isOffline) client.disconnect();
      else client.connect();
      follow(isOffline);
    },
    follow,
  };
}
