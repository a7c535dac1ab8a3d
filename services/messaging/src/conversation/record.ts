import type { JsonObject } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import type { Role } from '@parley/contract/policy';
import type { ConversationRow } from '../sql/conversation/conversation.ts';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { ConversationSchema, type Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';

type Fields = {
  id: string;
  created_at: number;
  is_distinct: boolean;
  seq: number;
  members_seq: number;
} & Pick<ConversationRow, 'type' | 'frozen_at' | 'frozen_by' | 'slow_mode'>;

export type ShownParts = {
  participants: BasicIdentity[];
  metadata: JsonObject;
  /** Roles of participants who are no members, by user id. */
  roles: ReadonlyMap<string, Role>;
};

/** The record of a conversation as a server sees it. */
export function toConversation(
  appId: string,
  { id, created_at, is_distinct, seq, members_seq, type, frozen_at, frozen_by, slow_mode }: Fields,
  { participants, metadata, roles }: ShownParts,
): Conversation {
  return create(ConversationSchema, {
    appId,
    id,
    createdAt: created_at,
    distinct: is_distinct,
    seq,
    membersSeq: members_seq,
    participants,
    metadata,
    type: type ?? '',
    roles: [...roles].map(([userId, role]) => ({ userId, role })),
    slowModeInSeconds: slow_mode ?? 0,
    ...(frozen_at !== null && { frozen: { at: frozen_at, by: frozen_by ?? '' } }),
  });
}
