import type { Conversation, ConversationsOptions, List } from '@parley/client';
import { useMemo } from 'react';
import { useClient } from './provider.ts';
import { clientToWaitFor, keptQuery, LOADING, suspendUntilReady, useQuery } from './query.ts';

/**
 * The conversations that the user sees; the component renders again when something of them changes.
 *
 * @param options `sort`: `lastMessage` (by default) or `createdAt`; `where` leaves out conversations.
 * @returns The conversations, and whether any are known yet.
 * @example
 * const { items, status } = useConversations({ where: ({ unreadCount }) => unreadCount > 0 });
 */
export function useConversations({ sort, where }: ConversationsOptions = {}): List<Conversation> {
  const client = useClient();
  const query = useMemo(() => client?.conversations(sort ? { sort } : {}), [client, sort]);
  return useFiltered(useQuery<List<Conversation>>(query, LOADING), where);
}

/**
 * As {@link useConversations}, but suspends the component until the conversations are known.
 *
 * @param options As there.
 * @returns The conversations.
 * @example
 * <Suspense fallback={<Spinner />}><Conversations /></Suspense>
 */
export function useSuspenseConversations({ sort, where }: ConversationsOptions = {}): List<Conversation> {
  const client = clientToWaitFor(useClient());
  const query = keptQuery(client, `conversations ${sort ?? ''}`, () =>
    client.conversations(sort ? { sort } : {}),
  );
  suspendUntilReady(query);
  return useFiltered(useQuery<List<Conversation>>(query, LOADING), where);
}

function useFiltered(list: List<Conversation>, where: ConversationsOptions['where']): List<Conversation> {
  return useMemo(() => (where ? { ...list, items: list.items.filter(where) } : list), [list, where]);
}

/**
 * One conversation.
 *
 * @param id URI of the conversation; undefined for none.
 * @returns The conversation; undefined if the user does not see it, or it is not known yet.
 * @example
 * const conversation = useConversation(id);
 * <h1>{conversation?.others.map(({ display_name }) => display_name).join(', ')}</h1>
 */
export function useConversation(id: string | undefined): Conversation | undefined {
  const client = useClient();
  const query = useMemo(() => (id === undefined ? undefined : client?.conversation(id)), [client, id]);
  return useQuery<Conversation | undefined>(query, undefined);
}
