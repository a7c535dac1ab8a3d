import { problemOf } from '@parley/domain/problems';
import { isOutage } from '@parley/kit/postgres';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { setReferences } from '../content/references.ts';
import { dropClaim, releaseMessages } from '../content/release.ts';
import { confirmMessage, deferClaim, listUnconfirmed, type ClaimRow } from '../sql/content-message.ts';
import { workInTurn } from './work-in-turn.ts';

/** A time longer than any send, those of scheduled messages included. */
const CLAIM_AGE_MS = 3_600_000;

/**
 * Content is claimed before its message is stored or changed. Later this asks messaging for the message, and drops claims of
 * messages that do not exist: their send failed, or they were scheduled and then cancelled or dropped.
 * Claims are verified in turn by application. A claim whose verification fails is postponed by itself; when messaging cannot
 * be reached the run ends, and the next one continues.
 */
export async function verifyClaims(ctx: Context, signal?: AbortSignal): Promise<void> {
  await workInTurn({
    list: (turn) => listUnconfirmed(ctx.db, { ...turn, before: ctx.clock.now() - CLAIM_AGE_MS }),
    work: (claims) => verifyEach(ctx, claims, signal),
    signal,
  });
}

async function verifyEach(ctx: Context, claims: ClaimRow[], signal?: AbortSignal): Promise<boolean[]> {
  const verified: boolean[] = [];
  for (const claim of claims) {
    if (signal?.aborted) break;
    verified.push(await tryToVerify(ctx, claim));
  }
  return verified;
}

async function tryToVerify(ctx: Context, claim: ClaimRow): Promise<boolean> {
  try {
    await verify(ctx, claim);
    return true;
  } catch (error) {
    if (isOutage(error)) throw error;
    ctx.log.warn(
      { error, appId: claim.app_id, messageId: claim.id },
      'failed to verify content claim; will retry',
    );
    await deferClaim(ctx.db, claim, ctx.clock.now());
    return false;
  }
}

async function verify(ctx: Context, claim: ClaimRow): Promise<void> {
  const { app_id: appId, id: messageId } = claim;
  // The schedule first: a scheduled message that is sent between the two calls is found by the second one.
  const isStillScheduled = await isScheduled(ctx, claim);
  const message = await findMessage(ctx, appId, messageId);
  await ctx.db.tx(async (tx) => {
    if (message === 'deleted') return releaseMessages(ctx, tx, { appId, ids: [messageId] });
    if (message !== 'unknown') {
      if (await confirmMessage(tx, claim)) {
        await setReferences(ctx, tx, [{ appId, messageId, parts: message.parts }]);
      }
      return;
    }
    if (isStillScheduled) await deferClaim(tx, claim, ctx.clock.now());
    else await dropClaim(ctx, tx, claim);
  });
}

/** Whether the message is still scheduled. An hour after its time that is possible only if messaging was unavailable. */
async function isScheduled({ schedules }: Context, claim: ClaimRow): Promise<boolean> {
  const { app_id: appId, conversation_id: conversationId, id } = claim;
  try {
    await schedules.getScheduledMessage({ appId, conversationId, id });
    return true;
  } catch (error) {
    if (problemOf(error)?.id === 'not_found') return false;
    throw error;
  }
}

async function findMessage(
  { messaging }: Context,
  appId: string,
  id: string,
): Promise<Message | 'deleted' | 'unknown'> {
  try {
    return (await messaging.getMessage({ appId, id })).message ?? 'unknown';
  } catch (error) {
    const problem = problemOf(error)?.id;
    if (problem === 'object_deleted') return 'deleted';
    if (problem === 'not_found') return 'unknown';
    throw error;
  }
}
