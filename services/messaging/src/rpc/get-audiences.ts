import { isUuid } from '@parley/domain/ids';
import { budgetOf } from '@parley/kit/rpc/byte-budget';
import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type {
  GetAudiencesRequest,
  GetAudiencesRequest_Item,
} from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import type { Context } from '../context.ts';
import { listAudiences, type AudienceRow } from '../sql/conversation/audience.ts';

/** Answers, within a byte budget, as many of the first items as fit, and at least one. The caller asks for the rest again. */
export async function getAudiences(ctx: Context, request: GetAudiencesRequest) {
  const { items } = request;
  const budget = budgetOf(request) ?? Number.MAX_SAFE_INTEGER;
  const queries = items.map(({ appId, conversationId, leftAfterSeq }) => ({
    appId: isUuid(appId) ? appId : NIL_UUID,
    conversationId: isUuid(conversationId) ? conversationId : NIL_UUID,
    leftAfterSeq,
  }));
  const rows = items.length > 0 ? await listAudiences(ctx.db, queries, budget) : [];
  const byItem = Map.groupBy(rows, (row) => row.item);
  const fitting = items.slice(0, rows[0]?.cut_at ?? items.length);
  return { audiences: fitting.map((item, index) => toAudience(item, byItem.get(index) ?? [])) };
}

function toAudience({ appId, conversationId }: GetAudiencesRequest_Item, rows: readonly AudienceRow[]) {
  const [conversation] = rows;
  return {
    appId,
    conversationId,
    seq: conversation?.seq ?? 0,
    membersSeq: conversation?.members_seq ?? 0,
    gone: !conversation || conversation.deleted_at !== null,
    hasIncarnations: true,
    members: rows.flatMap((row) => toMember(row) ?? []),
  };
}

function toMember({ joined_seq, left_seq, user_id, ...names }: AudienceRow) {
  if (user_id === null) return undefined;
  const identity = basicIdentity({ user_id, ...names });
  return { identity, joinedSeq: joined_seq, leftSeq: left_seq ?? 0 };
}
