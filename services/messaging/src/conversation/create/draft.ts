import type { JsonObject } from '@bufbuild/protobuf';
import { DEFAULT_ROLE, DEFAULT_TYPE, isRole, type Role } from '@parley/contract/policy';
import { isUuid } from '@parley/domain/ids';
import { isMetadata, isMetadataWithinLimit } from '@parley/domain/metadata';
import { fail } from '@parley/domain/problems';
import type { CreateConversationRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import type { Context } from '../../context.ts';
import { failParticipants, failTooManyParticipants } from '../../identity/required.ts';

/** A request for a new conversation, checked as far as is possible without the database. */
export type ConversationDraft = {
  appId: string;
  id: string;
  /** Empty: a server creates the conversation. */
  userId: string;
  participantIds: string[];
  /** Each user has at most one conversation with the same other participants. */
  isDistinct: boolean;
  /** Undefined: an existing conversation matches with any metadata. */
  metadata: JsonObject | undefined;
  requestId: string | null;
  /** Null: `default`. */
  type: string | null;
  /** Roles that a server gives, by user id, without members. */
  roles: ReadonlyMap<string, Role>;
};

/** A draft with the key that finds its conversation; null: it is not distinct. */
export type KeyedDraft = ConversationDraft & { distinctKey: Buffer | null };

/** Problems: invalid_property (id, participants, metadata). */
export function toDraft(ctx: Context, request: CreateConversationRequest): ConversationDraft {
  const { appId, userId, metadata, requestId, type } = request;
  const participantIds = [...new Set(userId ? [userId, ...request.participantIds] : request.participantIds)];
  if (participantIds.length === 0) failParticipants('A conversation has at least one participant.');
  if (participantIds.length > ctx.config.maxParticipants) failTooManyParticipants(ctx.config.maxParticipants);
  if (metadata && !(isMetadata(metadata) && isMetadataWithinLimit(metadata))) {
    return fail('invalid_property', { property: 'metadata' });
  }
  if (request.id && !isUuid(request.id)) return fail('invalid_property', { property: 'id' });
  return {
    appId,
    id: request.id ? request.id.toLowerCase() : ctx.newId(),
    userId,
    participantIds,
    isDistinct: request.distinct,
    metadata,
    requestId: isUuid(requestId) ? requestId.toLowerCase() : null,
    type: type === DEFAULT_TYPE || type === '' ? null : type,
    roles: rolesOf(request, participantIds),
  };
}

/** Problem: invalid_property (roles) for a user who does not take part. */
function rolesOf({ roles }: CreateConversationRequest, participantIds: readonly string[]): Map<string, Role> {
  const given = new Map<string, Role>();
  for (const { userId, role } of roles) {
    if (!participantIds.includes(userId)) fail('invalid_property', { property: 'roles' });
    if (isRole(role) && role !== DEFAULT_ROLE) given.set(userId, role);
  }
  return given;
}
