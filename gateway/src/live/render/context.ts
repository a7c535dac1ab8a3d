import type { Client } from '@connectrpc/connect';
import type { ChangeStep } from '@parley/domain/json/change';
import type { View } from '@parley/domain/json/view';
import type { RecipientStatuses } from '@parley/domain/receipts';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Audience, MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { AnnouncementCache } from './announcement-cache.ts';
import type { Recipient } from './recipients.ts';

export type RenderContext = {
  /** Of a client, without a user. */
  view: View;
  messaging: Client<typeof MessagingService>;
  updates: UpdateSink;
  announcements: AnnouncementCache;
  /** Above this many members only the sender is named in the recipient_status of somebody else's new message. */
  maxStatusesInFrame: number;
};

/** An event with those who are told of it. */
export type AddressedEvent = {
  event: Event;
  audience: Audience | undefined;
  recipients: readonly Recipient[];
  /** Of a message that was not sent just now: what became of it. */
  statuses?: RecipientStatuses;
};

export type Renderer = (context: RenderContext, addressed: AddressedEvent) => void | Promise<void>;

/** What one user is told of the changes of one conversation, and what their unread number has to follow. */
export type UpdateSink = {
  /** The conversation was patched. */
  patched(event: Event, recipient: Recipient, steps: readonly ChangeStep[]): void;
  /** A message was sent to the user. */
  messageCreated(event: Event, userId: string): void;
  /** The event tells the user's unread number. */
  unreadIs(event: Event, userId: string, unread: number): void;
  /** What the user sees changed in a way that only the service can count. */
  changed(event: Event, userId: string): void;
  /** The user is about to be told of the whole conversation, or of its end: what was to be told before is told now. */
  forget(event: Event, userId: string): void;
};
