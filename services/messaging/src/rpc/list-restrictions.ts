import { limits } from '@parley/contract/limits';
import { toBinary } from '@parley/codec';
import { isUuid } from '@parley/domain/ids';
import { failNotFound, failUnknownFromId } from '@parley/domain/problems';
import { budgetOf, countFitting } from '@parley/kit/rpc/byte-budget';
import { RestrictionSchema } from '@parley/proto/parley/messaging/v1/conversation_pb';
import type { ListRestrictionsRequest } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import type { Context } from '../context.ts';
import { requireExisting, requireParticipant } from '../conversation/access.ts';
import { basicIdentity } from '../identity/basic-identity.ts';
import { checkAllowed } from '../policy/load-standing.ts';
import { toRestriction } from '../policy/restriction-record.ts';
import { findConversation } from '../sql/conversation/conversation.ts';
import { listParticipants } from '../sql/conversation/membership.ts';
import { findRestriction, listRestrictions as listRows } from '../sql/policy/restriction.ts';
import { readSnapshot } from '../transaction/snapshot.ts';
import { clampPageSize } from './page-size.ts';

export async function listRestrictions(ctx: Context, request: ListRestrictionsRequest) {
  const { appId, conversationId: id, callerUserId: userId, pageSize, fromId } = request;
  if (!isUuid(id)) return failNotFound('conversation', id);
  return readSnapshot(ctx, async (sql) => {
    const conversation = requireExisting(await findConversation(sql, { appId, id }), { id, userId });
    if (userId) {
      const [own] = await listParticipants(sql, [{ appId, conversationId: id, userId }]);
      requireParticipant(own, id);
    }
    await checkAllowed(ctx, sql, { conversation, userId, action: 'restrict' });
    if (fromId && !(await findRestriction(sql, conversation, fromId))) return failUnknownFromId();
    const limit = clampPageSize(pageSize, limits.restrictionPage);
    const page = { fromId: fromId || null, limit: limit + 1, now: ctx.clock.now() };
    const rows = await listRows(sql, conversation, page);
    const all = rows.slice(0, limit).map((row) => toRestriction(row, basicIdentity(row)));
    const budget = budgetOf(request) ?? Number.MAX_SAFE_INTEGER;
    const fitting = countFitting(all, budget, (one) => toBinary(RestrictionSchema, one).length);
    return { restrictions: all.slice(0, fitting), hasMore: fitting < all.length };
  });
}
