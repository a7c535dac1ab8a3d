import { useConnection } from '@parley/react';
import { useEffect, useState } from 'react';
import { useRefusal } from './refusals.ts';

const PATCH = ['patch'];
/** A connected device gets the packet of a change within this time, if the change had an effect. */
const PACKET_WITHIN_MS = 20_000;

/**
 * A value of a conversation that the platform decides, as a control shows it: what the user has asked for, until the platform has
 * changed the value, or refused, or has not changed it 20 seconds later.
 *
 * @param actual The value that the platform has.
 * @param conversationId URI of the conversation.
 * @returns The value to show, and a function that notes what the user asks for by a change, which it returns.
 */
export function useAsked<T extends string | number | boolean>(
  actual: T,
  conversationId: string,
): [shown: T, ask: (value: T, change: Promise<void>) => Promise<void>] {
  const { status } = useConnection();
  const [asked, setAsked] = useState<T>();
  const forget = (): void => setAsked(undefined);
  useEffect(forget, [actual]);
  useRefusal(conversationId, PATCH, forget);
  useEffect(() => {
    if (asked === undefined || status !== 'online') return;
    const timer = setTimeout(forget, PACKET_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [asked, status]);
  function ask(value: T, change: Promise<void>): Promise<void> {
    setAsked(value);
    change.catch(forget);
    return change;
  }
  return [asked ?? actual, ask];
}
