import { ParleyError, type Conversation, type List, type Message, type PagedQuery } from '@parley/client';
import { useCallback, useMemo } from 'react';
import { useClient } from './provider.ts';
import { clientToWaitFor, keptQuery, LOADING, suspendUntilReady, useQuery } from './query.ts';

/** A window on the messages of a conversation. */
export type MessageList = List<Message> & {
  /**
   * Shows one page more. Fails with a `ParleyError` if the platform cannot be asked; `error` then says so too.
   */
  readonly loadOlder: () => Promise<void>;
};

/**
 * The messages of a conversation, the oldest first: a window that begins with the newest page.
 *
 * @param conversationId URI of the conversation; undefined for none.
 * @param options `pageSize`: 1 to 100, by default 50.
 * @returns The messages, whether there are older ones, and `loadOlder`.
 * @example
 * const { items, hasOlder, loadOlder } = useMessages(id);
 */
export function useMessages(
  conversationId: string | undefined,
  { pageSize }: { pageSize?: number } = {},
): MessageList {
  const client = useClient();
  const query = useMemo(
    () =>
      conversationId === undefined
        ? undefined
        : client?.messages(conversationId, pageSize ? { pageSize } : {}),
    [client, conversationId, pageSize],
  );
  return usePages(query);
}

/**
 * As {@link useMessages}, but suspends the component until the newest page is known. Components that show the same conversation share
 * the window.
 *
 * @param conversationId URI of the conversation.
 * @param options As there.
 * @returns The messages.
 * @example
 * <Suspense fallback={<Spinner />}><History conversationId={id} /></Suspense>
 */
export function useSuspenseMessages(
  conversationId: string,
  { pageSize }: { pageSize?: number } = {},
): MessageList {
  const client = clientToWaitFor(useClient());
  const query = keptQuery(client, `messages ${conversationId} ${pageSize ?? ''}`, () =>
    client.messages(conversationId, pageSize ? { pageSize } : {}),
  );
  suspendUntilReady(query);
  return usePages(query);
}

/** The state of a window, with the function that makes it grow. */
export function usePages<T>(
  query: PagedQuery<T> | undefined,
): List<T> & { readonly loadOlder: () => Promise<void> } {
  const list = useQuery<List<T>>(query, LOADING);
  const loadOlder = useCallback(() => query?.loadOlder() ?? Promise.resolve(), [query]);
  return useMemo(() => ({ ...list, loadOlder }), [list, loadOlder]);
}

/**
 * Sends messages to a conversation.
 *
 * @param conversationId URI of the conversation; undefined for none.
 * @returns A function, the same in each rendering, that sends a text or parts, and takes the options of `Conversation.send`. It resolves when the message is kept on the device and
 *   shown, in the state `sending`; it fails with a `ParleyError`: `not_found` if the user does not see the conversation, `store_full`, `destroyed`.
 * @example
 * const send = useSendMessage(id);
 * <form onSubmit={() => send(text)}>
 */
export function useSendMessage(
  conversationId: string | undefined,
): (...message: Parameters<Conversation['send']>) => Promise<Message> {
  const client = useClient();
  return useCallback(
    async (...message) => {
      const conversation =
        conversationId === undefined ? undefined : client?.conversation(conversationId).getSnapshot();
      if (conversation) return conversation.send(...message);
      throw new ParleyError({ id: 'not_found', message: 'The conversation is not known.' });
    },
    [client, conversationId],
  );
}
