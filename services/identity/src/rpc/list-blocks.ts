import type { MessageInitShape } from '@bufbuild/protobuf';
import { budgetOf, countFitting } from '@parley/kit/rpc/byte-budget';
import type {
  ListBlocksRequest,
  ListBlocksResponseSchema,
} from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { BasicIdentitySchema } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { listBlockedUserIds } from '../sql/block.ts';
import { listNames, type NameRow } from '../sql/identity.ts';
import { requireUser } from '../identity/users.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Names that one statement reads. */
const READ_SIZE = 500;

/** A deleted user stays blocked and is listed without a name. */
export async function listBlocks(
  ctx: Context,
  request: ListBlocksRequest,
): RpcResponse<typeof ListBlocksResponseSchema> {
  const { appId, ownerUserId, fromId } = request;
  await requireUser(ctx, { appId, userId: ownerUserId });
  const budget = budgetOf(request) ?? Number.MAX_SAFE_INTEGER;
  const all = await listBlockedUserIds(ctx.db, { appId, ownerId: ownerUserId, after: fromId });
  const identities: BasicIdentityInit[] = [];
  for (let used = 0; identities.length < all.length && used < budget;) {
    const userIds = all.slice(identities.length, identities.length + READ_SIZE);
    const byId = new Map((await listNames(ctx.db, appId, userIds)).map((row) => [row.user_id, row]));
    const named = userIds.map((userId) => toBasic(userId, byId.get(userId)));
    const fitting = named.slice(0, countFitting(named, budget - used, bytesOf));
    identities.push(...fitting);
    used += fitting.reduce((sum, identity) => sum + bytesOf(identity), 0);
    if (fitting.length < named.length) break;
  }
  return { identities, hasMore: identities.length < all.length };
}

type BasicIdentityInit = MessageInitShape<typeof BasicIdentitySchema>;

function toBasic(userId: string, row: NameRow | undefined): BasicIdentityInit {
  return {
    userId,
    ...(row?.display_name != null && { displayName: row.display_name }),
    ...(row?.avatar_url != null && { avatarUrl: row.avatar_url }),
  };
}

/** Upper bound for the tags and lengths of the encoded fields. Bytes. */
const FIELDS_BYTES = 16;

function bytesOf({ userId = '', displayName = '', avatarUrl = '' }: BasicIdentityInit): number {
  return (
    FIELDS_BYTES + Buffer.byteLength(userId) + Buffer.byteLength(displayName) + Buffer.byteLength(avatarUrl)
  );
}
