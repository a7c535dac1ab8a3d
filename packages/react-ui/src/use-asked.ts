import { useClient } from '@parley/react';
import { useEffect, useState } from 'react';

/**
 * A value of a conversation that the platform decides, as a control shows it: what the user has asked for, until the platform has
 * changed the value or refused.
 *
 * @param actual The value that the platform has.
 * @param conversationId URI of the conversation.
 * @returns The value to show, and a function that notes what the user asks for.
 */
export function useAsked<T extends string | number | boolean>(
  actual: T,
  conversationId: string,
): [shown: T, ask: (value: T) => void] {
  const client = useClient();
  const [asked, setAsked] = useState<T>();
  useEffect(() => setAsked(undefined), [actual]);
  useEffect(
    () =>
      client?.on('failed', ({ conversation }) => {
        if (conversation === conversationId) setAsked(undefined);
      }),
    [client, conversationId],
  );
  return [asked ?? actual, setAsked];
}
