import type { BasicIdentity, Conversation, MessageContent } from '@parley/client';

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const DAY_MS = 24 * 60 * 60 * 1000;

export function nameOf(identity: BasicIdentity | null): string {
  return identity ? (identity.display_name ?? identity.user_id) : 'Erased user';
}

/** The title in the metadata, else the names of the others. */
export function titleOf({ metadata, others }: Conversation): string {
  const { title } = metadata;
  if (typeof title === 'string' && title !== '') return title;
  return others.map(nameOf).join(', ') || 'Only you';
}

export function timeOf(sentAt: string): string {
  return TIME.format(new Date(sentAt));
}

/** The day on this device's calendar; of a message that is not sent, today. */
export function dayOf(sentAt: string | undefined): string {
  const day = new Date(sentAt ?? Date.now()).toDateString();
  if (day === new Date().toDateString()) return 'Today';
  if (day === new Date(Date.now() - DAY_MS).toDateString()) return 'Yesterday';
  return DAY.format(new Date(day));
}

/** A text, which devices of users who are away show under the sender's name. */
export function withNotification(sender: string, text: string): MessageContent {
  return { parts: [{ mime_type: 'text/plain', body: text }], notification: { title: sender, text } };
}

export function bytesOf(size: number): string {
  return size < 1_000_000 ? `${Math.ceil(size / 1_000)} KB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
