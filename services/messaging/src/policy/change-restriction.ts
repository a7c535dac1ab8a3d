import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { Context } from '../context.ts';
import { requireExisting, requireParticipant } from '../conversation/access.ts';
import { basicIdentity } from '../identity/basic-identity.ts';
import { requireUnerased } from '../identity/required.ts';
import { listParticipants } from '../sql/conversation/membership.ts';
import { changeConversation, type Share } from '../transaction/change-conversation.ts';
import { requireMayRestrict, type Restricting } from './restrict.ts';

type Request = { appId: string; conversationId: string; callerUserId: string; userId: string };

/** Runs a change of a user's restriction under the conversation's lock. Problems: not_found, object_deleted, access_denied. */
export async function changeRestriction(
  ctx: Context,
  { appId, conversationId: id, callerUserId, userId }: Request,
  work: (tx: Tx, restricting: Restricting) => Promise<void>,
): Promise<void> {
  if (!isUuid(id)) return failNotFound('conversation', id);
  const share: Share = (run) => ctx.shares.run(appId, run);
  const found = await share(() => ctx.identities.find(appId, [userId]));
  await changeConversation(
    ctx,
    { appId, id },
    {
      share,
      async work(tx, locked) {
        const conversation = requireExisting(locked, { id, userId: callerUserId });
        if (callerUserId) await requirePresent(tx, { appId, conversationId: id, userId: callerUserId });
        const identity = found.get(userId) ?? failNotFound('identity', userId);
        const restricting = { conversation, callerUserId, user: basicIdentity(identity) };
        await requireMayRestrict(ctx, tx, restricting);
        await requireUnerased(tx, appId, [restricting.user]);
        await work(tx, restricting);
      },
    },
  );
}

async function requirePresent(
  tx: Tx,
  ref: { appId: string; conversationId: string; userId: string },
): Promise<void> {
  const [own] = await listParticipants(tx, [ref]);
  requireParticipant(own, ref.conversationId);
}

/** Problem: invalid_property (type). */
export function kindOf(kind: string): 'mute' | 'ban' {
  return kind === 'mute' || kind === 'ban' ? kind : fail('invalid_property', { property: 'type' });
}
