import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { BasicIdentitySchema, type BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import {
  MessageSchema,
  PartSchema,
  type Message,
  type Part,
} from '@parley/proto/parley/messaging/v1/message_pb';
import type { View } from '../json/view.ts';
import { createWire } from '../wire.ts';

export const wire = createWire();
/** Rules of an app that has set nothing. */
export const rules = { wire, inlineBodyBytes: 2048 };

export const appId = '00000000-0000-7000-8000-00000000000a';
export const conversationId = '00000000-0000-7000-8000-00000000000c';
export const messageId = '00000000-0000-7000-8000-00000000000e';
export const partId = '00000000-0000-7000-8000-00000000000f';
export const contentId = '00000000-0000-7000-8000-0000000000c0';

/** 2026-11-20T20:15:30.123Z */
export const sentAt = Date.UTC(2026, 10, 20, 20, 15, 30, 123);

export function viewOf(audience: View['audience'], userId?: string): View {
  const view: View = { wire, baseUrl: 'https://chat.example', audience, appId };
  return userId === undefined ? view : { ...view, userId };
}

/** A message of alice with one part of text. */
export function sampleMessage(changes: Partial<Message> = {}): Message {
  const message = create(MessageSchema, {
    appId,
    id: messageId,
    conversationId,
    position: 7,
    sender: { userId: 'alice', displayName: 'Alice' },
    parts: [{ id: partId, mimeType: 'text/plain', body: 'hello' }],
    sentAt,
  });
  return { ...message, ...changes };
}

export function basicIdentity(userId: string, displayName?: string): BasicIdentity {
  return create(BasicIdentitySchema, displayName === undefined ? { userId } : { userId, displayName });
}

export function samplePart(init: MessageInitShape<typeof PartSchema> = {}): Part {
  return create(PartSchema, { id: partId, mimeType: 'text/plain', ...init });
}

export function sampleEvent(body: NonNullable<MessageInitShape<typeof EventSchema>['body']>): Event {
  return create(EventSchema, { id: messageId, appId, conversationId, createdAt: sentAt, seq: 3, body });
}
