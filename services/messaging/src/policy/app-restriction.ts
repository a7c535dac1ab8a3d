import { create } from '@parley/codec';
import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { basicIdentity } from '../identity/basic-identity.ts';
import { addToOutbox } from '../push/push-events.ts';
import { lockAppRestriction, setAppRestriction } from '../sql/policy/restriction.ts';
import type { AppRestriction } from '../sql/policy/standing.ts';
import { toAppRestriction } from './restriction-record.ts';
import { isInForce } from './standing.ts';

type Target = { appId: string; userId: string };

/**
 * Sets the restriction of a user in the whole application, or ends it (null). It holds for every act that begins afterwards: sends read it
 * with the identity of the sender. An equal one changes nothing. Problem: not_found.
 */
export async function changeAppRestriction(
  ctx: Context,
  { appId, userId }: Target,
  restriction: AppRestriction | null,
): Promise<void> {
  if (!isUuid(appId)) return failNotFound('app', appId);
  const identity = (await ctx.shares.run(appId, () => ctx.identities.find(appId, [userId]))).get(userId);
  if (!identity) return failNotFound('identity', userId);
  await ctx.shares.run(appId, () =>
    ctx.db.tx(async (tx) => {
      const stored = await lockAppRestriction(tx, { appId, userId });
      if (!stored) return failNotFound('identity', userId);
      const before = stored.restriction;
      if (isSame(before, restriction, ctx.clock.now())) return;
      await setAppRestriction(tx, { appId, userId }, restriction);
      const told = restriction ?? before;
      if (!told || (!restriction && !isInForce(told, ctx.clock.now()))) return;
      await addToOutbox(ctx, tx, [
        toEvent(ctx, appId, { user: basicIdentity(identity), told, ended: !restriction }),
      ]);
    }),
  );
}

function isSame(before: AppRestriction | null, after: AppRestriction | null, now: number): boolean {
  if (!before || !after) return before === after;
  return (
    before.kind === after.kind &&
    before.until === after.until &&
    before.reason === after.reason &&
    isInForce(before, now)
  );
}

type Told = { user: BasicIdentity; told: AppRestriction; ended: boolean };

/** An event of no conversation, for webhooks and exports: sockets get none. */
function toEvent(ctx: Context, appId: string, { user, told, ended }: Told) {
  return create(EventSchema, {
    id: ctx.newId(),
    appId,
    createdAt: ctx.clock.now(),
    body: { case: 'restrictionChanged', value: { restriction: toAppRestriction(told, user), ended } },
  });
}
