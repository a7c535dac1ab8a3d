import { fail } from '@parley/domain/problems';
import type { Tx } from '@parley/kit/postgres';
import type { CreateContentRequest } from '@parley/proto/parley/content/v1/content_service_pb';
import type { Context } from '../context.ts';
import { addUsage, getUsage, lockUsage, settleUsage } from '../sql/content-usage.ts';

/** Contents that one transaction settles before it begins an upload; more only if it would be refused otherwise. */
const STEP = 500;

/** A quota that has no room for an upload. */
export type Exceeded = { quota: string; limit: number };

/**
 * Counts an upload that begins, with its declared size, among the content to which no message refers; returns the quota that it would exceed,
 * and does not count it then. Uploads of one application begin one after the other from here to the end of the transaction, which
 * commits in either case what it settled.
 */
export async function takeRoom(
  ctx: Context,
  tx: Tx,
  req: CreateContentRequest,
): Promise<Exceeded | undefined> {
  const { appId, userId, size: bytes } = req;
  await lockUsage(tx, appId);
  let settled = await settleUsage(tx, appId, STEP);
  let exceeded = await findExceeded(ctx, tx, req);
  while (exceeded && settled === STEP) {
    settled = await settleUsage(tx, appId, STEP);
    exceeded = await findExceeded(ctx, tx, req);
  }
  if (!exceeded) await addUsage(tx, { appId, userId, bytes });
  return exceeded;
}

/** docs/protocol/uploads.md#room-for-uploads */
export function failExceeded({ quota, limit }: Exceeded): never {
  return fail('quota_exceeded', {
    message: `Content to which no message refers may have ${limit} bytes, uploads under way included.`,
    data: { quota, limit, resets_at: null },
  });
}

async function findExceeded(
  { config }: Context,
  tx: Tx,
  { appId, userId, size }: CreateContentRequest,
): Promise<Exceeded | undefined> {
  const { maxUnreferencedBytesPerUser: ofUser, maxUnreferencedBytesPerApp: ofApp } = config;
  const usage = await getUsage(tx, appId, userId);
  if (userId !== '' && usage.user + size > ofUser)
    return { quota: 'unreferenced_bytes_of_user', limit: ofUser };
  if (usage.app + size > ofApp) return { quota: 'unreferenced_bytes_of_app', limit: ofApp };
  return undefined;
}
