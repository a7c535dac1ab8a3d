import { isMessage, type Message as Record } from '@bufbuild/protobuf';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { BasicIdentitySchema } from '@parley/proto/parley/identity/v1/identity_pb';
import { MessageSchema } from '@parley/proto/parley/messaging/v1/message_pb';

/** Takes out of an event what persons who were erased later had said, and how they were called. */
export function hideErased(event: Event, erased: ReadonlyMap<string, number>): void {
  if (erased.size === 0) return;
  const isErased = (userId: string | undefined) =>
    userId !== undefined && event.createdAt <= (erased.get(userId) ?? -Infinity);
  visit(event, (record) => {
    if (isMessage(record, MessageSchema) && isErased(record.sender?.userId)) {
      record.parts = [];
      delete record.notification;
    }
    if (isMessage(record, BasicIdentitySchema) && isErased(record.userId)) {
      delete record.displayName;
      delete record.avatarUrl;
    }
  });
}

// Outer records before inner ones.
function visit(value: unknown, see: (record: Record) => void): void {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  if (isMessage(value)) see(value);
  for (const inner of Object.values(value)) visit(inner, see);
}
