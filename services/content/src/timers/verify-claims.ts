import { problemOf } from '@parley/domain/problems';
import type { Message } from '@parley/proto/parley/messaging/v1/message_pb';
import type { Context } from '../context.ts';
import { setReferences } from '../references.ts';
import { releaseMessages } from '../release.ts';
import { confirmMessage, listUnconfirmed, type ClaimRow } from '../sql/content-message.ts';

/** Longer than any send may take, delayed ones included. */
const SETTLED_MS = 3_600_000;
const BATCH = 100;

/**
 * Content is claimed before its message is stored or changed. Afterwards messaging is asked what became of it, and what
 * was claimed for nothing is given up.
 */
export async function verifyClaims(ctx: Context): Promise<void> {
  for (;;) {
    const claims = await listUnconfirmed(ctx.db, ctx.clock.now() - SETTLED_MS, BATCH);
    for (const claim of claims) await verify(ctx, claim);
    if (claims.length < BATCH) return;
  }
}

async function verify(ctx: Context, claim: ClaimRow): Promise<void> {
  const { app_id: appId, id: messageId } = claim;
  const message = await findMessage(ctx, appId, messageId);
  await ctx.db.tx(async (tx) => {
    if (!message) return releaseMessages(ctx, tx, { appId, ids: [messageId] });
    if (await confirmMessage(tx, claim))
      await setReferences(ctx, tx, { appId, messageId, parts: message.parts });
  });
}

async function findMessage({ messaging }: Context, appId: string, id: string): Promise<Message | undefined> {
  try {
    return (await messaging.getMessage({ appId, id })).message;
  } catch (error) {
    const problem = problemOf(error)?.id;
    if (problem === 'not_found' || problem === 'object_deleted') return undefined;
    throw error;
  }
}
