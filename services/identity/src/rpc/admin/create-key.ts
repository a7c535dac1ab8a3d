import type {
  CreateKeyRequest,
  CreateKeyResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { toKey } from '../../admin/view.ts';
import { makeKeyPair, parsePublicKey } from '../../admin/rsa-key.ts';
import { insertProviderKey } from '../../sql/provider-key.ts';
import { getProvider } from '../../admin/look-up.ts';

/** Registers the given public key, or generates a pair and answers the private key, which is not stored. */
export async function createKey(
  ctx: Context,
  req: CreateKeyRequest,
): RpcResponse<typeof CreateKeyResponseSchema> {
  const provider = await getProvider(ctx, req.providerId);
  const { publicKey, privateKey } = await obtainPair(req.publicKey);
  const { id: providerId, app_uuid: appId } = provider;
  const id = ctx.newId();
  const key = await ctx.db.tx(async (tx) => {
    await audit(ctx, tx, { appId, action: 'key.created', actor: 'admin', subject: id });
    return insertProviderKey(tx, { id, providerId, publicKey, createdAt: ctx.clock.now() });
  });
  return { key: toKey(ctx.wire, key), privateKey };
}

type Pair = { publicKey: string; privateKey?: string };

async function obtainPair(publicKey: string | undefined): Promise<Pair> {
  return publicKey === undefined ? makeKeyPair() : { publicKey: parsePublicKey(publicKey) };
}
