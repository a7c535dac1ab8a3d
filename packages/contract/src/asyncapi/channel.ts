import type { Message } from './message.ts';

export type Operation = {
  /** Unique; the name of the function in a generated client. */
  id: string;
  /** `receive`: the platform receives the messages; `send`: it sends them. */
  action: 'receive' | 'send';
  title: string;
  summary: string;
  /** CommonMark. */
  description?: string;
  messages: readonly Message[];
  /** Messages that answer each message, on the same channel. */
  reply?: readonly Message[];
};

/** A way that messages take, with all that is done on it. */
export type Channel = {
  /** Unique. */
  id: string;
  object: object;
  operations: readonly Operation[];
};

/** Every message of a channel, once. */
export function messagesOf({ operations }: Channel): Message[] {
  return [...new Set(operations.flatMap(({ messages, reply = [] }) => [...messages, ...reply]))];
}

/** The operation objects of a channel, by their ids. */
export function operationObjects({ id: channel, operations }: Channel): Record<string, object> {
  return Object.fromEntries(
    operations.map(({ id, action, title, summary, description, messages, reply }) => [
      id,
      {
        action,
        channel: { $ref: `#/channels/${channel}` },
        title,
        summary,
        ...(description !== undefined && { description }),
        messages: references(channel, messages),
        ...(reply && {
          reply: { channel: { $ref: `#/channels/${channel}` }, messages: references(channel, reply) },
        }),
      },
    ]),
  );
}

function references(channel: string, messages: readonly Message[]): object[] {
  return messages.map(({ name }) => ({ $ref: `#/channels/${channel}/messages/${name}` }));
}
