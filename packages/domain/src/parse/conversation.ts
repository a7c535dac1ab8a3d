import type { JsonObject } from '@bufbuild/protobuf';
import { isMetadata, isMetadataWithinLimit } from '../metadata.ts';
import type { Wire } from '../wire.ts';
import { invalid, missing, optional, optionalFlag, parseObject } from './fields.ts';
import { parseRequestId } from './id.ts';
import { parseIdentityList } from './identity-refs.ts';

/** A request to create a conversation. */
export type ConversationInput = {
  /** Bare uuid. */
  id?: string;
  /** User ids, each once; empty if only the creator takes part. */
  participantIds: string[];
  distinct: boolean;
  /** Absent: the request does not set it. */
  metadata?: JsonObject;
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
  return input;
}

/** Nested objects with string leaves, at most 2048 bytes as JSON; null stands for absent. */
export function parseMetadata(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMetadata(value)) return invalid('metadata', 'must be nested objects with strings as leaves.');
  return isMetadataWithinLimit(value) ? value : invalid('metadata', 'must have at most 2048 bytes as JSON.');
}
