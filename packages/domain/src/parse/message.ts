import type { Notification, Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { limits } from '@parley/contract/limits';
import { isMessageMetadata, metadataSize } from '../metadata.ts';
import { invalid, isFields, missing, optional, parseObject, type Fields } from './fields.ts';
import { parseRequestId } from './id.ts';
import { parseIdentityValue } from './identity-refs.ts';
import { parseNotification } from './notification.ts';
import type { PartRules } from './part.ts';
import { parseParts } from './parts.ts';
import { parseSchedule, type Schedule } from './schedule.ts';
import { parseSignificance, type Significance } from './significance.ts';

/** A user's request to send a message. */
export type MessageInput = {
  /** Bare uuid. */
  id?: string;
  parts: Part[];
  notification?: Notification;
  /** JSON text. */
  metadata?: string;
};

/** A server's request to send a message, on behalf of a user or under a name. */
export type ServerMessageInput = MessageInput & {
  /** User id. */
  senderId: string;
  /** The default significance; `significance` lists the exceptions. */
  low: boolean;
  significance?: Significance;
  schedule?: Schedule;
};

/** Parses a message of REST or WebSocket. Fails with missing_property, invalid_property, invalid_request_id, invalid_request. */
export function parseMessage(rules: PartRules, body: unknown): MessageInput {
  const fields = parseObject(body);
  return readMessage(rules, fields, { id: parseRequestId(rules.wire, 'messages', fields), prefix: '' });
}

/** Parses a server's message. Fails as `parseMessage` does. */
export function parseServerMessage(rules: PartRules, body: unknown): ServerMessageInput {
  const fields = parseObject(body);
  const id = parseRequestId(rules.wire, 'messages', fields);
  const input = readServerMessage(rules, fields, { id, prefix: '' });
  const schedule = parseSchedule(fields['schedule']);
  if (schedule) input.schedule = schedule;
  return input;
}

/** `prefix` is put before the names of properties, such as `3.` in a batch. */
export type MessagePlace = { id: string | undefined; prefix: string };

export function readServerMessage(rules: PartRules, fields: Fields, place: MessagePlace): ServerMessageInput {
  const { prefix } = place;
  refuseSender(fields, prefix);
  const sender = optional(fields, 'sender_id') ?? missing(`${prefix}sender_id`);
  const senderId = parseIdentityValue(rules.wire, sender, `${prefix}sender_id`);
  const message = readMessage(rules, fields, place);
  const significance = parseSignificance(rules.wire, fields['significance'], prefix);
  const low = significance?.low ?? false;
  return significance ? { ...message, senderId, low, significance } : { ...message, senderId, low };
}

// Accepted by older versions instead of sender_id. docs/protocol/messages.md#send-as-a-server
function refuseSender(fields: Fields, prefix: string): void {
  const sender = optional(fields, 'sender');
  if (!isFields(sender)) return;
  if (optional(sender, 'name') === undefined && optional(sender, 'user_id') === undefined) return;
  invalid(`${prefix}sender`, 'is not accepted; sender_id names the identity.');
}

function readMessage(rules: PartRules, fields: Fields, { id, prefix }: MessagePlace): MessageInput {
  const input: MessageInput = { parts: parseParts(rules, fields['parts'], prefix) };
  const notification = parseNotification(fields['notification'], prefix);
  if (id !== undefined) input.id = id;
  if (notification) input.notification = notification;
  const metadata = parseMessageMetadata(fields['metadata'], prefix);
  if (metadata !== undefined) input.metadata = metadata;
  return input;
}

/** The metadata of a message as JSON text; undefined without any. docs/protocol/messages.md#metadata */
export function parseMessageMetadata(value: unknown, prefix = ''): string | undefined {
  if (value === undefined || value === null) return undefined;
  const property = `${prefix}metadata`;
  if (!isMessageMetadata(value))
    return invalid(property, 'must be nested objects with strings, numbers and booleans as leaves.');
  if (metadataSize(value) > limits.messageMetadataBytes)
    return invalid(property, `must have at most ${limits.messageMetadataBytes} bytes as JSON.`);
  return Object.keys(value).length === 0 ? undefined : JSON.stringify(value);
}
