import type { ClientEvents } from './events.ts';

type Listeners = { [K in keyof ClientEvents]: Set<(event: ClientEvents[K]) => void> };

export type Emitter = {
  on<K extends keyof ClientEvents>(name: K, listener: (event: ClientEvents[K]) => void): () => void;
  emit<K extends keyof ClientEvents>(name: K, event: ClientEvents[K]): void;
  diagnose(name: string, data?: Readonly<Record<string, unknown>>): void;
};

export function createEmitter(): Emitter {
  const listeners: Listeners = {
    diagnostic: new Set(),
    connection: new Set(),
    message: new Set(),
    sent: new Set(),
    failed: new Set(),
    otherUser: new Set(),
    loggedOut: new Set(),
  };
  function emit<K extends keyof ClientEvents>(name: K, event: ClientEvents[K]): void {
    for (const listener of [...listeners[name]]) listener(event);
  }
  return {
    emit,
    diagnose: (name, data = {}) => emit('diagnostic', { name, data }),
    on(name, listener) {
      const set: Set<typeof listener> = listeners[name];
      set.add(listener);
      return () => void set.delete(listener);
    },
  };
}
