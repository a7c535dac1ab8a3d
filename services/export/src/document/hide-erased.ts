import { isMessage, type Message as Record } from '@bufbuild/protobuf';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { BasicIdentitySchema, type BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { MessageSchema } from '@parley/proto/parley/messaging/v1/message_pb';

/**
 * Removes from an event the messages, with their metadata, and the names of users who were erased later. Records of an earlier incarnation are the erased
 * ones; the time decides where an earlier release recorded no version.
 */
export function hideErased(event: Event, erased: ReadonlyMap<string, { at: number; version: number }>): void {
  if (erased.size === 0) return;
  const isErased = (person: BasicIdentity | undefined): boolean => {
    const erasure = person && erased.get(person.userId);
    if (!erasure) return false;
    return erasure.version > 0 ? person.incarnation < erasure.version : event.createdAt <= erasure.at;
  };
  visit(event, (record) => {
    if (isMessage(record, MessageSchema) && isErased(record.sender)) {
      record.parts = [];
      record.metadata = '';
      delete record.notification;
    }
    if (isMessage(record, BasicIdentitySchema) && isErased(record)) {
      delete record.displayName;
      delete record.avatarUrl;
    }
  });
}

/** Visits outer records before inner ones. */
function visit(value: unknown, see: (record: Record) => void): void {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  if (isMessage(value)) see(value);
  for (const inner of Object.values(value)) visit(inner, see);
}
