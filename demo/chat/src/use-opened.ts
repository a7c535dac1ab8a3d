import { useConversation, useConversations } from '@parley/react';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { openedAt, withOpened } from './addresses.ts';
import { PAGE } from './page.ts';

const listeners = new Set<() => void>();
const [WIRE] = PAGE.appId.split(':');

/**
 * The conversation that the address of the page names for a user, and what opens another one: the buttons of the browser go back
 * and forth. Where it names none, the first one is opened, and stays when another one becomes the first.
 */
export function useOpened(user: string): [id: string | undefined, open: (id?: string) => void] {
  const named = useSyncExternalStore(subscribe, () => openedAt(location.href, user));
  const { items } = useConversations();
  const id = named ? `${WIRE}:///conversations/${named}` : undefined;
  const known = useConversation(id);
  const [first] = items;
  // The platform may give a conversation of two another id when it creates it.
  const meant = named === undefined ? first?.id : known?.id;
  useEffect(() => {
    if (meant !== undefined && meant !== id) openConversation(user, meant, 'replaceState');
  }, [user, meant, id]);
  const open = useCallback((chosen = '') => openConversation(user, chosen), [user]);
  return [meant, open];
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  window.addEventListener('popstate', changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('popstate', changed);
  };
}

/** Opens a conversation in the window of a user; `conversation` is its URI, or empty for the list. */
export function openConversation(
  user: string,
  conversation: string,
  how: 'pushState' | 'replaceState' = 'pushState',
): void {
  const address = withOpened(location.href, user, conversation);
  if (address === location.href) return;
  history[how](null, '', address);
  for (const changed of listeners) changed();
}
