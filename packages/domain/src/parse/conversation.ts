import { ROLES, type Role } from '@parley/contract/policy';
import type { JsonObject } from '@bufbuild/protobuf';
import { isMetadata, isMetadataWithinLimit } from '../metadata.ts';
import type { Wire } from '../wire.ts';
import { parseName } from './choice.ts';
import { parseTypeName } from './conversation-type.ts';
import { invalid, isFields, missing, optional, optionalFlag, parseObject } from './fields.ts';
import { parseRequestId } from './id.ts';
import { parseIdentityList, parseIdentityValue } from './identity-refs.ts';

/** A request to create a conversation. */
export type ConversationInput = {
  /** Bare uuid. */
  id?: string;
  /** User ids, each once; empty if only the creator takes part. */
  participantIds: string[];
  distinct: boolean;
  /** Absent: the request does not set it. */
  metadata?: JsonObject;
  /** Absent: `default`. */
  type?: string;
  roles?: { userId: string; role: Role }[];
};

/**
 * Fails with missing_property, invalid_property, invalid_request_id, invalid_request.
 * docs/protocol/conversations.md#create-a-conversation
 */
export function parseConversation(wire: Wire, body: unknown): ConversationInput {
  const fields = parseObject(body);
  const id = parseRequestId(wire, 'conversations', fields);
  const participants = optional(fields, 'participants') ?? missing('participants');
  const input: ConversationInput = {
    participantIds: parseIdentityList(wire, participants, { property: 'participants' }),
    distinct: optionalFlag(fields, 'distinct') ?? false,
  };
  if (id !== undefined) input.id = id;
  const metadata = parseMetadata(fields['metadata']);
  if (metadata) input.metadata = metadata;
  const type = parseTypeName(fields);
  if (type !== undefined) input.type = type;
  const roles = parseRoles(wire, optional(fields, 'roles'));
  if (roles) input.roles = roles;
  return input;
}

/** Problem: invalid_property (`roles`, or `roles.<identity>` for a wrong role). */
export function parseRoles(wire: Wire, value: unknown): { userId: string; role: Role }[] | undefined {
  if (value === undefined) return undefined;
  if (!isFields(value)) return invalid('roles', 'must be an object of roles by identity.');
  return Object.entries(value).map(([identity, role]) => ({
    userId: parseIdentityValue(wire, identity, 'roles'),
    role: parseName(ROLES, role, `roles.${identity}`),
  }));
}

/** Nested objects with string leaves, at most 2048 bytes as JSON; null stands for absent. */
export function parseMetadata(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMetadata(value)) return invalid('metadata', 'must be nested objects with strings as leaves.');
  return isMetadataWithinLimit(value) ? value : invalid('metadata', 'must have at most 2048 bytes as JSON.');
}
