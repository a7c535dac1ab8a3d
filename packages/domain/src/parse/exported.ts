import type { JsonObject } from '@bufbuild/protobuf';
import type { Role } from '@parley/contract/policy';
import type { Notification, Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { limits } from '@parley/contract/limits';
import { parseUri } from '../ids.ts';
import { parseTime } from '../json/time.ts';
import type { RecipientStatus } from '../receipts.ts';
import type { UriKind, Wire } from '../wire.ts';
import { parseName } from './choice.ts';
import { invalid, isFields, optional, parseObject, type Fields } from './fields.ts';
import { parseIdentityValue } from './identity-refs.ts';
import { parseMetadata, parseRoles } from './conversation.ts';
import { parseTypeName } from './conversation-type.ts';
import { parseMessageMetadata } from './message.ts';
import { parseNotification } from './notification.ts';
import { parseParts } from './parts.ts';
import { parseSlowMode } from './patch.ts';
import { parseReactionKey } from './reaction.ts';

const STATUSES = ['sent', 'delivered', 'read'] as const satisfies readonly RecipientStatus[];

export type ExportedIdentity = { userId: string; displayName?: string; avatarUrl?: string };

export type ExportedConversation = {
  id: string;
  createdAt: number;
  participants: ExportedIdentity[];
  distinct: boolean;
  metadata: JsonObject;
  /** Absent: `default`. */
  type?: string;
  roles?: { userId: string; role: Role }[];
  frozen?: { at: number; by: string };
  slowModeInSeconds?: number;
};

/** An entry of `conversations` in a historical export.json. Problems: invalid_property, missing_property. */
export function parseExportedConversation(wire: Wire, value: unknown): ExportedConversation {
  const fields = parseObject(value);
  const { participants } = fields;
  if (!Array.isArray(participants)) return invalid('participants', 'must be a list of identities.');
  const conversation: ExportedConversation = {
    id: idOf(wire, 'conversations', fields['id'], 'id'),
    createdAt: timeOf(fields, 'created_at'),
    participants: participants.map((participant) => identityOf(wire, participant, 'participants')),
    distinct: fields['distinct'] === true,
    metadata: parseMetadata(fields['metadata']) ?? {},
  };
  const type = parseTypeName(fields);
  if (type !== undefined) conversation.type = type;
  const roles = parseRoles(wire, optional(fields, 'roles'));
  if (roles) conversation.roles = roles;
  const frozen = optional(fields, 'frozen');
  if (frozen !== undefined) conversation.frozen = frozenOf(wire, frozen);
  const slowMode = parseSlowMode(optional(fields, 'slow_mode_in_seconds') ?? 0, 'slow_mode_in_seconds');
  if (slowMode > 0) conversation.slowModeInSeconds = slowMode;
  return conversation;
}

function frozenOf(wire: Wire, value: unknown): { at: number; by: string } {
  if (!isFields(value)) return invalid('frozen', 'must be an object.');
  const { by } = value;
  return {
    at: timeOf(value, 'at'),
    by: by === null ? '' : parseIdentityValue(wire, by, 'frozen'),
  };
}

export type ExportedMessage = {
  id: string;
  conversationId: string;
  position: number;
  sender: ExportedIdentity;
  parts: Part[];
  sentAt: number;
  updatedAt?: number;
  notification?: Notification;
  /** Statuses by user id. */
  statuses: Map<string, RecipientStatus>;
  /** JSON text. */
  metadata?: string;
  reactions: ExportedReaction[];
  /** Sent under a shadow restriction. */
  shadowed?: boolean;
};

/** `userIds`: all users who reacted with the key, in the order of their reactions. */
export type ExportedReaction = { key: string; userIds: string[] };

/** An entry of `messages` in a historical export.json. Problems: invalid_property, missing_property. */
export function parseExportedMessage(wire: Wire, value: unknown): ExportedMessage {
  const fields = parseObject(value);
  const { position, conversation } = fields;
  if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 1) {
    return invalid('position', 'must be a whole number above 0.');
  }
  const message: ExportedMessage = {
    id: idOf(wire, 'messages', fields['id'], 'id'),
    conversationId: idOf(
      wire,
      'conversations',
      isFields(conversation) ? conversation['id'] : null,
      'conversation',
    ),
    position,
    sender: identityOf(wire, fields['sender'], 'sender'),
    parts: partsOf(wire, fields),
    sentAt: timeOf(fields, 'sent_at'),
    statuses: statusesOf(wire, fields['recipient_status']),
    reactions: reactionsOf(wire, optional(fields, 'reactions') ?? {}),
  };
  const metadata = parseMessageMetadata(fields['metadata']);
  if (metadata !== undefined) message.metadata = metadata;
  if (fields['shadowed'] === true) message.shadowed = true;
  if (optional(fields, 'updated_at') !== undefined) message.updatedAt = timeOf(fields, 'updated_at');
  const notification = parseNotification(fields['notification']);
  if (notification) message.notification = notification;
  return message;
}

function partsOf(wire: Wire, { parts }: Fields): Part[] {
  // An import restores bodies of any size that an app's setting may have allowed earlier.
  const parsed = parseParts({ wire, inlineBodyBytes: limits.maxInlineBodyBytes }, parts);
  const shown = parts as readonly unknown[];
  return parsed.map((part, index) => {
    const fields = parseObject(shown[index]);
    return optional(fields, 'updated_at') === undefined
      ? part
      : { ...part, updatedAt: timeOf(fields, 'updated_at') };
  });
}

function identityOf(wire: Wire, value: unknown, property: string): ExportedIdentity {
  if (!isFields(value)) return invalid(property, 'must be an identity.');
  const identity: ExportedIdentity = { userId: parseIdentityValue(wire, value['id'], property) };
  const { display_name: displayName, avatar_url: avatarUrl } = value;
  if (typeof displayName === 'string') identity.displayName = displayName;
  if (typeof avatarUrl === 'string') identity.avatarUrl = avatarUrl;
  return identity;
}

function idOf(wire: Wire, kind: UriKind, value: unknown, property: string): string {
  const id = typeof value === 'string' ? parseUri(wire, kind, value) : undefined;
  return id ?? invalid(property, 'must be an id.');
}

function timeOf(fields: Fields, property: string): number {
  const value = fields[property];
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  return time ?? invalid(property, 'must be a time.');
}

function statusesOf(wire: Wire, value: unknown): Map<string, RecipientStatus> {
  if (!isFields(value)) return invalid('recipient_status', 'must be an object.');
  const statuses = new Map<string, RecipientStatus>();
  for (const [id, status] of Object.entries(value)) {
    const name = parseName(STATUSES, status, 'recipient_status');
    statuses.set(parseIdentityValue(wire, id, 'recipient_status'), name);
  }
  return statuses;
}

function reactionsOf(wire: Wire, value: unknown): ExportedReaction[] {
  if (!isFields(value)) return invalid('reactions', 'must be an object.');
  return Object.entries(value).map(([key, summary]) => {
    const ids = isFields(summary) ? summary['user_ids'] : undefined;
    if (!Array.isArray(ids)) return invalid('reactions', 'must have the user_ids of each key.');
    const userIds = ids.map((id: unknown) => parseIdentityValue(wire, id, 'reactions'));
    return { key: parseReactionKey(key), userIds };
  });
}
