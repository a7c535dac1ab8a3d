import type { Client } from '@parley/client';
import { useSyncExternalStore } from 'react';

/** State of the message that a composer sends. */
export type Sending = {
  readonly isUnderWay: boolean;
  /** Why the last try failed; empty if it did not. */
  readonly problem: string;
};

const IDLE: Sending = { isUnderWay: false, problem: '' };

/** By conversation. The states outlive composers: a user who comes back to a conversation must not send the same again. */
const states = new WeakMap<Client, Map<string, Sending>>();
const listeners = new Set<() => void>();

/** The state of the message that is sent in a conversation. */
export function sendingOf(client: Client | null, conversationId: string): Sending {
  return (client && states.get(client)?.get(conversationId)) ?? IDLE;
}

/** Keeps another state, and shows it in the composers of the conversation. */
export function setSending(client: Client, conversationId: string, sending: Sending): void {
  const known = states.get(client) ?? new Map<string, Sending>();
  states.set(client, known.set(conversationId, sending));
  for (const listener of listeners) listener();
}

/** As `sendingOf`, for a component that shows it. */
export function useSending(client: Client | null, conversationId: string): Sending {
  return useSyncExternalStore(
    subscribe,
    () => sendingOf(client, conversationId),
    () => IDLE,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
