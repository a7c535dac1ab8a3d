import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { escapeDots } from '../../metadata/dotted-path.ts';
import { identityUri } from '../../ids.ts';
import type { RecipientStatuses } from '../../receipts.ts';
import type { ChangeBody, ChangeObject } from '../change.ts';
import { messageJson, messageReference } from '../message.ts';
import type { View } from '../view.ts';

type MessageEvent = Extract<
  Event['body'],
  { case: 'messageCreated' | 'messageDeleted' | 'messageHidden' | 'receiptRecorded' }
>;

type Change = { body: MessageEvent; statuses: RecipientStatuses | undefined };

export function messageChange(view: View, conversationId: string, { body, statuses }: Change): ChangeBody[] {
  switch (body.case) {
    case 'messageCreated': {
      const { message } = body.value;
      if (!message) return [];
      const isUnread = view.userId !== undefined && view.userId !== message.sender?.userId;
      const data = messageJson(view, { ...message, isUnread }, statuses);
      return [{ operation: 'create', object: messageObject(view, conversationId, message.id), data }];
    }
    case 'messageDeleted':
      return [deletion(messageObject(view, conversationId, body.value.messageId), 'all_participants')];
    case 'messageHidden':
      return [deletion(messageObject(view, conversationId, body.value.messageId), 'my_devices')];
    case 'receiptRecorded': {
      const { userId, messageId, type } = body.value;
      const property = `recipient_status.${escapeDots(identityUri(view.wire, userId))}`;
      const value = type === ReceiptType.READ ? 'read' : 'delivered';
      const object = messageObject(view, conversationId, messageId);
      return [{ operation: 'update', object, data: [{ operation: 'set', property, value }] }];
    }
  }
}

function deletion(object: ChangeObject, mode: 'all_participants' | 'my_devices'): ChangeBody {
  return { operation: 'delete', object, data: { mode } };
}

export function messageObject(view: View, conversationId: string, id: string): ChangeObject {
  return { type: 'Message', ...messageReference(view, conversationId, id) };
}
