import { create, fromBinary } from '@parley/codec';
import { MessageDraftSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import {
  ScheduledMessageSchema,
  type ScheduledMessage,
} from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { basicIdentity } from '../../identity/basic-identity.ts';
import type { ScheduledRow } from '../../sql/message/scheduled-message.ts';

export function toScheduledMessage(row: ScheduledRow): ScheduledMessage {
  const message = create(ScheduledMessageSchema, {
    draft: fromBinary(MessageDraftSchema, row.draft),
    sender: basicIdentity({ ...row, user_id: row.sender_id }),
    createdAt: row.created_at,
    dueAt: row.due_at,
  });
  if (row.typing_at !== null) message.typingAt = row.typing_at;
  return message;
}
