import type { ChangeStep } from '@parley/domain/json/change';
import { conversationReference } from '@parley/domain/json/conversation';
import type { View } from '@parley/domain/json/view';
import { frameBody, type FrameBody } from '../../connection/frame.ts';
import { aboutConversation } from '../render/about.ts';
import type { UnreadUpdate } from './unread-counts.ts';

type ConversationKey = { appId: string; conversationId: string };

/** An `update Conversation` packet. */
export function updateBody(
  view: View,
  { appId, conversationId }: ConversationKey,
  data: readonly ChangeStep[],
): FrameBody {
  const object = { type: 'Conversation', ...conversationReference({ ...view, appId }, conversationId) };
  return frameBody({ operation: 'update', object, data }, aboutConversation(conversationId));
}

/** Steps that set the unread count of one user and, if wanted, the newest message that they see. */
export function stateSteps(
  view: View,
  { withLastMessage }: { withLastMessage: boolean },
  { unread, lastMessageId }: UnreadUpdate,
): ChangeStep[] {
  const steps: ChangeStep[] = [{ operation: 'set', property: 'unread_message_count', value: unread }];
  if (!withLastMessage) return steps;
  const id = lastMessageId === undefined ? null : view.wire.uri('messages', lastMessageId);
  return [{ operation: 'set', property: 'last_message', id }, ...steps];
}
