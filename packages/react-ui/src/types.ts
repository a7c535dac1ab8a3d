import type { Client, Conversation, ConversationType } from '@parley/client';
import { useClient, useConnection } from '@parley/react';
import { useEffect, useSyncExternalStore } from 'react';

/** The types of the conversations of an application, as all components of a client share them. */
type TypeStore = {
  readonly ask: () => void;
  readonly subscribe: (changed: () => void) => () => void;
  readonly getSnapshot: () => readonly ConversationType[] | undefined;
};

const stores = new WeakMap<Client, TypeStore>();

/**
 * Rules of the type of a conversation; undefined until they were read. They are read once for a client, and again after a refusal;
 * `Conversation.can` knows them from then on, and the component is rendered again.
 */
export function useRules({ type }: Conversation): ConversationType | undefined {
  const client = useClient();
  const { status } = useConnection();
  const store = client ? storeOf(client) : undefined;
  useEffect(() => {
    if (status === 'online') store?.ask();
  }, [store, status]);
  const types = useSyncExternalStore(
    store?.subscribe ?? subscribeToNothing,
    store?.getSnapshot ?? nothing,
    nothing,
  );
  return types?.find(({ name }) => name === type);
}

function storeOf(client: Client): TypeStore {
  const store = stores.get(client) ?? createStore(client);
  stores.set(client, store);
  return store;
}

function createStore(client: Client): TypeStore {
  let types: readonly ConversationType[] | undefined;
  let isAsked = false;
  const listeners = new Set<() => void>();
  function ask(): void {
    if (isAsked) return;
    isAsked = true;
    client.types().then(
      (read) => {
        types = read ?? undefined;
        for (const changed of listeners) changed();
      },
      // The defaults hold meanwhile; the next connection asks again.
      () => (isAsked = false),
    );
  }
  client.on('failed', ({ error }) => {
    if (error.id !== 'access_denied') return;
    isAsked = false;
    ask();
  });
  return {
    ask,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    getSnapshot: () => types,
  };
}

function subscribeToNothing(): () => void {
  return () => undefined;
}

function nothing(): undefined {
  return undefined;
}
