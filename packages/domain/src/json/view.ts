import type { PrivateIdentityField } from '@parley/contract/records/identity';
import type { AddressTemplates } from '@parley/contract/socket/hello';
import type { ContentRef, DownloadAddress } from '../content-addresses.ts';
import { userSegment } from '../ids.ts';
import type { Wire } from '../wire.ts';

/** The audience of a rendered record, which determines its addresses and which fields are null. */
export type View = {
  wire: Wire;
  /** The gateway's public address without a trailing slash. */
  baseUrl: string;
  /** `user`: the application's server acting as a user, which gets client records with server addresses. */
  audience: 'client' | 'server' | 'user';
  appId: string;
  /** The user, for the views `client` and `user`; absent if a record looks the same to every user. */
  userId?: string;
  /**
   * The app's setting for private fields that users may read of each other. Absent: none. Not needed in a view of servers, which read all
   * of them.
   */
  publicIdentityFields?: readonly PrivateIdentityField[];
  /** Creates download addresses of content; absent: content is shown without them. */
  downloads?: (content: ContentRef) => DownloadAddress;
};

/** Prefix of every path of this view. */
export function viewRoot({ wire, baseUrl, audience, appId, userId = '' }: View): string {
  if (audience === 'client') return baseUrl;
  if (audience === 'server') return `${baseUrl}/apps/${appId}`;
  return `${baseUrl}/apps/${appId}/users/${userSegment(wire, userId)}`;
}

export function conversationsUrl(view: View): string {
  return `${viewRoot(view)}/conversations`;
}

export function conversationUrl(view: View, id: string): string {
  return `${conversationsUrl(view)}/${id}`;
}

export function messagesUrl(view: View, conversationId: string): string {
  return `${conversationUrl(view, conversationId)}/messages`;
}

/** A client addresses a message by its id alone, a server within its conversation. */
export function messageUrl(view: View, conversationId: string, id: string): string {
  if (view.audience === 'server') return `${messagesUrl(view, conversationId)}/${id}`;
  return `${viewRoot(view)}/messages/${id}`;
}

export function partUrl(view: View, message: { conversationId: string; id: string }, partId: string): string {
  return `${messageUrl(view, message.conversationId, message.id)}/parts/${partId}`;
}

export function contentUrl(view: View, conversationId: string, id: string): string {
  if (view.audience === 'server') return `${conversationUrl(view, conversationId)}/content/${id}`;
  return `${viewRoot(view)}/content/${id}`;
}

export function identityUrl(view: View, userId: string): string {
  if (view.audience === 'server') return `${viewRoot(view)}/users/${userSegment(view.wire, userId)}/identity`;
  return `${viewRoot(view)}/identities/${userSegment(view.wire, userId)}`;
}

export function announcementUrl(view: View, id: string): string {
  return `${viewRoot(view)}/announcements/${id}`;
}

/** Creates templates of the addresses that lean packets omit, with ids in braces. docs/protocol/lean-packets.md#addresses */
export function addressTemplates(view: View): AddressTemplates {
  const ids = { conversationId: '{conversation_id}', id: '{message_id}' };
  const message = messageUrl(view, ids.conversationId, ids.id);
  const announcement = announcementUrl(view, '{announcement_id}');
  return {
    conversation: conversationUrl(view, ids.conversationId),
    messages: messagesUrl(view, ids.conversationId),
    message,
    message_receipts: `${message}/receipts`,
    message_part: partUrl(view, ids, '{part_id}'),
    content: contentUrl(view, ids.conversationId, '{content_id}'),
    identity: `${viewRoot(view)}/identities/{user_id}`,
    announcement,
    announcement_receipts: `${announcement}/receipts`,
    announcement_part: `${announcement}/parts/{part_id}`,
  };
}
