import type { Client } from '@parley/client';
import { useClient } from '@parley/react';
import { useCallback, useEffect, useSyncExternalStore } from 'react';

/** Texts that were begun and not sent, on this device. Where the browser keeps nothing they last as long as the page. */
const kept = new Map<string, string>();
const listeners = new Set<() => void>();
const PREFIX = 'parley/draft/';

function keyOf(client: Client | null, conversationId: string): string | undefined {
  const user = client?.user?.user_id;
  return user === undefined ? undefined : [PREFIX, encodeURIComponent(user), ' ', conversationId].join('');
}

function read(key: string): string {
  const known = kept.get(key);
  if (known !== undefined) return known;
  let stored = '';
  try {
    stored = localStorage.getItem(key) ?? '';
  } catch {
    // The browser admits no storage.
  }
  kept.set(key, stored);
  return stored;
}

function write(key: string, text: string): void {
  kept.set(key, text);
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // It is kept in memory.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  // Another tab may write the same draft.
  const changed = ({ key }: StorageEvent): void => {
    if (key?.startsWith(PREFIX)) kept.delete(key);
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', changed);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', changed);
  };
}

/**
 * The text that was begun in a conversation and not sent.
 *
 * @param conversationId URI of the conversation.
 * @returns The text, and a function that keeps another one.
 * @example const [draft, setDraft] = useDraft(conversation.id);
 */
export function useDraft(conversationId: string): [draft: string, setDraft: (text: string) => void] {
  const client = useClient();
  const key = keyOf(client, conversationId);
  const draft = useSyncExternalStore(
    subscribe,
    () => (key === undefined ? '' : read(key)),
    () => '',
  );
  const setDraft = useCallback(
    (text: string) => {
      if (key !== undefined) write(key, text);
    },
    [key],
  );
  return [draft, setDraft];
}

/** Removes the drafts of a user who logs out. */
export function useForgottenDrafts(client: Client | null): void {
  useEffect(() => client?.on('loggedOut', () => forgetDrafts(client)), [client]);
}

/** Removes the drafts of the user of a client. */
export function forgetDrafts(client: Client): void {
  const prefix = keyOf(client, '');
  if (prefix === undefined) return;
  const keys = new Set(kept.keys());
  try {
    for (const key of Object.keys(localStorage)) keys.add(key);
  } catch {
    // The browser admits no storage.
  }
  for (const key of keys) if (key.startsWith(prefix)) write(key, '');
}
