import type { MessageUpdated } from '@parley/proto/parley/event/v1/event_pb';
import type { ChangeBody } from '../change.ts';
import type { View } from '../view.ts';
import { metadataStep } from './conversation.ts';
import { messageObject } from './message.ts';

export function updatedChange(view: View, conversationId: string, change: MessageUpdated): ChangeBody[] {
  const data = change.operations.flatMap(metadataStep);
  if (data.length === 0) return [];
  return [{ operation: 'update', object: messageObject(view, conversationId, change.messageId), data }];
}
