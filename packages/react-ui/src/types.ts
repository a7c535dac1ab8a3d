import type { Client, Conversation, ConversationType } from '@parley/client';
import { useClient, useConnection } from '@parley/react';
import { useEffect, useSyncExternalStore } from 'react';

/** The types of the conversations of an application, as all components of a client share them. */
type TypeStore = {
  /** Reads the types, once for each connection; and once more for a name that is not among them. */
  readonly ask: (missing?: string) => void;
  readonly subscribe: (changed: () => void) => () => void;
  readonly getSnapshot: () => readonly ConversationType[] | undefined;
};

const stores = new WeakMap<Client, TypeStore>();

/**
 * Rules of the type of a conversation; undefined until they were read. They are read at each connection, and again after a refusal;
 * `Conversation.can` knows them from then on, and the component is rendered again.
 */
export function useRules({ type }: Conversation): ConversationType | undefined {
  const client = useClient();
  const { status } = useConnection();
  const store = client ? storeOf(client) : undefined;
  const types = useSyncExternalStore(
    store?.subscribe ?? subscribeToNothing,
    store?.getSnapshot ?? nothing,
    nothing,
  );
  const rules = types?.find(({ name }) => name === type);
  const missing = types && !rules ? type : undefined;
  useEffect(() => {
    if (status === 'online') store?.ask(missing);
  }, [store, status, missing]);
  return rules;
}

function storeOf(client: Client): TypeStore {
  const store = stores.get(client) ?? createStore(client);
  stores.set(client, store);
  return store;
}

function createStore(client: Client): TypeStore {
  let types: readonly ConversationType[] | undefined;
  /** The names for which the types were read on this connection; undefined for all. */
  const asked = new Set<string | undefined>();
  const listeners = new Set<() => void>();
  function ask(missing?: string): void {
    if (asked.has(missing)) return;
    asked.add(missing);
    client.types().then(
      (read) => {
        types = read ?? undefined;
        for (const changed of listeners) changed();
      },
      // The defaults hold meanwhile; the next connection asks again.
      () => undefined,
    );
  }
  client.on('connection', ({ status }) => {
    if (status !== 'online') asked.clear();
  });
  client.on('failed', ({ error }) => {
    if (error.id !== 'access_denied') return;
    asked.clear();
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
