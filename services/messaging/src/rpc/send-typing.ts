import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { SendTypingRequest } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { basicIdentity } from '../identity/basic-identity.ts';
import { toStanding } from '../policy/load-standing.ts';
import { failRefused } from '../policy/refusal.ts';
import { findTypingRefusal, isShadowed } from '../policy/standing.ts';
import type { Context } from '../context.ts';
import { requireParticipant } from '../conversation/access.ts';
import { findTyping } from '../sql/conversation/typing.ts';
import { publishTyping } from '../live/typing.ts';

export async function sendTyping(ctx: Context, { appId, conversationId, userId, action }: SendTypingRequest) {
  if (!isUuid(conversationId)) return failNotFound('conversation', conversationId);
  const ref = { appId, conversationId, userId };
  const found = requireParticipant(await findTyping(ctx.db, ref), conversationId);
  const standing = toStanding(found, found);
  const refusal = findTypingRefusal(standing, ctx.clock.now());
  if (refusal?.reason === 'muted') failRefused(refusal);
  if (refusal ?? isShadowed(standing, ctx.clock.now())) return {};
  const sender = basicIdentity({ ...found, user_id: userId });
  const { audience_shards: shards, hidden_from: hiddenFrom } = found;
  publishTyping(ctx, { appId, conversationId, shards, sender, action, hiddenFrom });
  return {};
}
