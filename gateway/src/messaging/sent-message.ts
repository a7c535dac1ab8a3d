import { messageJson } from '@parley/domain/json/message';
import type { View } from '@parley/domain/json/view';
import { fail } from '@parley/domain/problems';
import type { SentMessage } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { GatewayContext } from '../context.ts';
import { membersAt } from './audiences.ts';

/** A newly stored message in the sender's view: sent to all participants, read by the sender. */
export async function sentMessageJson(
  { audiences }: Pick<GatewayContext, 'audiences'>,
  view: View,
  { message = fail('internal_server_error'), seq, membersSeq }: SentMessage,
) {
  const audience = await audiences.at(message.appId, message.conversationId, membersSeq);
  const statuses = new Map<string, 'sent' | 'read'>();
  for (const { identity } of membersAt(audience, seq)) if (identity) statuses.set(identity.userId, 'sent');
  if (message.sender) statuses.set(message.sender.userId, 'read');
  if (view.audience !== 'server') message.isUnread = false;
  return messageJson(view, message, statuses);
}
