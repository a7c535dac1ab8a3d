import type { JsonObject } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { ConversationSchema, type Conversation } from '@parley/proto/parley/messaging/v1/conversation_pb';

type Fields = {
  id: string;
  created_at: number;
  is_distinct: boolean;
  seq: number;
  members_seq: number;
};

/** The record of a conversation as a server sees it. */
export function toConversation(
  appId: string,
  { id, created_at, is_distinct, seq, members_seq }: Fields,
  shown: { participants: BasicIdentity[]; metadata: JsonObject },
): Conversation {
  return create(ConversationSchema, {
    appId,
    id,
    createdAt: created_at,
    distinct: is_distinct,
    seq,
    membersSeq: members_seq,
    ...shown,
  });
}
