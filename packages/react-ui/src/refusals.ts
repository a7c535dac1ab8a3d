import type { ClientEvents } from '@parley/client';
import { useClient } from '@parley/react';
import { useEffect } from 'react';

type Refusal = ClientEvents['failed'];

/**
 * Calls back at each refusal by the platform of what the user did in a conversation.
 *
 * @param conversationId URI of the conversation.
 * @param operations The kinds of operations, such as `patch`.
 * @param refused Takes the reason.
 */
export function useRefusal(
  conversationId: string,
  operations: readonly Refusal['operation'][],
  refused: (reason: string) => void,
): void {
  const client = useClient();
  useEffect(() =>
    client?.on('failed', ({ conversation, operation, error }) => {
      if (conversation === conversationId && operations.includes(operation)) refused(error.message);
    }),
  );
}
