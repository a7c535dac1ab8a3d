import type {
  CreateKeyRequest,
  CreateKeyResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { Answer } from '../answer.ts';
import { audit } from '../../admin/audit.ts';
import type { Context } from '../../context.ts';
import { toKey } from '../../admin/view.ts';
import { makeKeyPair, parsePublicKey } from '../../admin/rsa-key.ts';
import { insertProviderKey } from '../../sql/provider-key.ts';
import { getProvider } from '../../admin/look-up.ts';

/** Registers the given public key, or makes a pair whose private half nobody but the caller gets. */
export async function createKey(ctx: Context, req: CreateKeyRequest): Answer<typeof CreateKeyResponseSchema> {
  const provider = await getProvider(ctx, req.providerId);
  const pair = await obtainPair(req.publicKey);
  const key = {
    id: ctx.newId(),
    provider_id: provider.id,
    public_key: pair.publicKey,
    disabled: false,
    created_at: ctx.clock.now(),
  };
  await ctx.db.tx(async (tx) => {
    await insertProviderKey(tx, key);
    await audit(ctx, tx, {
      appId: provider.app_uuid,
      action: 'key.created',
      actor: 'admin',
      subject: key.id,
    });
  });
  return { key: toKey(ctx.wire, key), privateKey: pair.privateKey };
}

type Pair = { publicKey: string; privateKey?: string };

async function obtainPair(publicKey: string | undefined): Promise<Pair> {
  return publicKey === undefined ? makeKeyPair() : { publicKey: parsePublicKey(publicKey) };
}
