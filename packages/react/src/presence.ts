import type { BasicIdentity, Client, ConnectionState, Query, Read, Unread } from '@parley/client';
import { useCallback, useMemo } from 'react';
import { useConversation } from './conversations.ts';
import { useClient } from './provider.ts';
import { useQuery } from './query.ts';

const NOBODY: readonly BasicIdentity[] = Object.freeze([]);
const NO_READS: readonly Read[] = Object.freeze([]);
const CONNECTING: ConnectionState = Object.freeze({ status: 'connecting', error: undefined });
const NOTHING_UNREAD: Unread = Object.freeze({ messages: 0, conversations: 0 });

/** Who types in a conversation, and how to say that the user does. */
export type Typing = {
  /** The other participants who type at this moment. */
  readonly typists: readonly BasicIdentity[];
  /** Call it with true at every keystroke, and with false when the text was sent or cleared. */
  readonly setTyping: (isTyping: boolean) => void;
};

/**
 * Who types in a conversation.
 *
 * @param conversationId URI of the conversation; undefined for none.
 * @returns Who types, and `setTyping`, which is the same function in each rendering.
 * @example
 * const { typists, setTyping } = useTyping(id);
 * <input onInput={() => setTyping(true)} />
 */
export function useTyping(conversationId: string | undefined): Typing {
  const client = useClient();
  const isKnown = useConversation(conversationId) !== undefined;
  const query = useMemo(
    () => (isKnown && conversationId !== undefined ? shown(client, conversationId)?.typists() : undefined),
    [client, conversationId, isKnown],
  );
  const typists = useQuery(query, NOBODY);
  const setTyping = useCallback(
    (isTyping: boolean) => {
      if (conversationId !== undefined) shown(client, conversationId)?.setTyping(isTyping);
    },
    [client, conversationId],
  );
  return useMemo(() => ({ typists, setTyping }), [typists, setTyping]);
}

/**
 * How far the other participants of a conversation have read.
 *
 * @param conversationId URI of the conversation; undefined for none.
 * @returns An entry for each who has read or written something that is on this device.
 * @example
 * const seenBy = useReads(id).filter(({ position }) => position >= message.position);
 */
export function useReads(conversationId: string | undefined): readonly Read[] {
  const client = useClient();
  const isKnown = useConversation(conversationId) !== undefined;
  const query = useMemo(
    () => (isKnown && conversationId !== undefined ? shown(client, conversationId)?.reads() : undefined),
    [client, conversationId, isKnown],
  );
  return useQuery(query, NO_READS);
}

function shown(client: Client | null, conversationId: string) {
  return client?.conversation(conversationId).getSnapshot();
}

/** The presence of users by their user ids; one whose presence is not known is missing. */
export type Presences = ReturnType<ReturnType<Client['presence']>['getSnapshot']>;

const UNKNOWN: Presences = Object.freeze({});

/**
 * The presence of users, kept up to date while the component is shown.
 *
 * @param userIds The user ids; another array with the same ids is the same.
 * @returns The presence by user id.
 * @example
 * const presence = usePresence(['grace']);
 * <span>{presence['grace']?.status}</span>
 */
export function usePresence(userIds: readonly string[]): Presences {
  const client = useClient();
  const ids = JSON.stringify(userIds);
  const query = useMemo(() => client?.presence(JSON.parse(ids) as string[]), [client, ids]);
  return useQuery(query, UNKNOWN);
}

/**
 * The number of unread messages.
 *
 * @returns The unread messages of all conversations together, and the number of conversations that have any.
 * @example
 * const { messages } = useUnreadCount();
 */
export function useUnreadCount(): Unread {
  const client = useClient();
  const query = useMemo(() => client?.unread(), [client]);
  return useQuery<Unread>(query, NOTHING_UNREAD);
}

/**
 * How the client stands to the platform.
 *
 * @returns The state; `connecting` on a server and without a client.
 * @example
 * const { status } = useConnection();
 * {status === 'offline' && <p>You are offline. Messages are sent when you are back.</p>}
 */
export function useConnection(): ConnectionState {
  const query: Query<ConnectionState> | undefined = useClient()?.connection;
  return useQuery(query, CONNECTING);
}
