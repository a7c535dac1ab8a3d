import type { Client } from '@connectrpc/connect';
import type { PrivateIdentityField } from '@parley/contract/records/identity';
import type { ChangeStep } from '@parley/domain/json/change';
import type { View } from '@parley/domain/json/view';
import type { RecipientStatuses } from '@parley/domain/receipts';
import type { Event, ReactionsChanged } from '@parley/proto/parley/event/v1/event_pb';
import type { Audience, MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { MessagePlaces } from '../../../upstream/messaging/message-places.ts';
import type { MessageTexts } from '../../../upstream/messaging/message-texts.ts';
import type { AnnouncementCache } from './announcement-cache.ts';
import type { Recipient } from './recipients.ts';

export type RenderContext = {
  /** The view of clients, without a user. */
  view: View;
  /** Private identity fields that users of an app may read of each other. The app must have a socket here. */
  publicIdentityFieldsOf(this: void, appId: string): readonly PrivateIdentityField[];
  messaging: Client<typeof MessagingService>;
  updates: UpdateSink;
  reactions: ReactionSink;
  announcements: AnnouncementCache;
  /** The texts of new messages; undefined in a replay, whose messages are not new. */
  texts: MessageTexts | undefined;
  /** Counts the sockets to which a new message was written; undefined in a replay. */
  delivered: ((appId: string, sockets: number) => void) | undefined;
  /** Remembers the place of a message for which receipts are expected. */
  note: MessagePlaces['note'];
  /** In larger conversations the recipient_status of a new message names only the sender, except to the sender. */
  maxStatusesInFrame: number;
};

/** An event and its recipients. */
export type AddressedEvent = {
  event: Event;
  audience: Audience | undefined;
  recipients: readonly Recipient[];
  /** The present recipient_status of a replayed message. */
  statuses?: RecipientStatuses;
};

export type Renderer = (context: RenderContext, addressed: AddressedEvent) => void | Promise<void>;

/** Collects the changes of reactions to a message. */
export type ReactionSink = {
  changed(event: Event, reacted: ReactionsChanged, recipients: readonly Recipient[]): void;
  /** The user is about to be removed, or to get the whole conversation or its deletion: their pending changes are pushed now. */
  forget(event: Event, userId: string): void;
};

/** Collects, for one user, the updates of a conversation and the changes of their unread count. */
export type UpdateSink = {
  /** The conversation was patched. */
  patched(event: Event, recipient: Recipient, steps: readonly ChangeStep[]): void;
  /**
   * A message was sent to the user. Returns their unread count after it; undefined if it is not known yet or the message is not the newest
   * that they see: then an update follows. `told`: whether all the user's sockets take the count from the message.
   */
  messageCreated(event: Event, userId: string, told: boolean): number | undefined;
  /** The event contains the user's unread count. */
  unreadIs(event: Event, userId: string, unread: number): void;
  /** The user's unread count changed in a way that only messaging can compute. */
  changed(event: Event, userId: string): void;
  /** The user is about to get the whole conversation, or its deletion: pending updates are pushed now. */
  forget(event: Event, userId: string): void;
};
