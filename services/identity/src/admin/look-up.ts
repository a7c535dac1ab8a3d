import { parseIdentityRef } from '@parley/domain/ids';
import { failNotFound, type ObjectKind } from '@parley/domain/problems';
import type { Context } from '../context.ts';
import { findApp, type AppRow } from '../sql/app.ts';
import type { UserKey } from '../sql/identity.ts';
import { findProviderKey } from '../sql/provider-key.ts';
import { findProvider, type ProviderRow } from '../sql/provider.ts';
import { parseAppId, parseId } from './parse-input.ts';

// Find the object that a request names by URI or bare UUID. All fail with missing_property, invalid_property or not_found.

export async function getApp(ctx: Context, text: string): Promise<AppRow> {
  return (await findApp(ctx.db, parseAppId(ctx.wire, text))) ?? failUnknown('app', text);
}

/** The user of an application, by the URI of the identity or the user id. Whether the user exists is not looked up. */
export async function namedUser(
  ctx: Context,
  { appUuid, userId }: { appUuid: string; userId: string },
): Promise<UserKey> {
  const { app_uuid: appId } = await getApp(ctx, appUuid);
  return { appId, userId: parseIdentityRef(ctx.wire, userId) ?? failUnknown('identity', userId) };
}

export async function getProvider(ctx: Context, text: string): Promise<ProviderRow> {
  const id = parseId(ctx.wire, { kind: 'providers', text, property: 'provider_id' });
  return (await findProvider(ctx.db, id)) ?? failUnknown('provider', id);
}

export async function getKey(ctx: Context, text: string): Promise<{ id: string; app_uuid: string }> {
  const id = parseId(ctx.wire, { kind: 'keys', text, property: 'key_id' });
  return (await findProviderKey(ctx.db, id)) ?? failUnknown('key', id);
}

/** Fails with not_found. */
export function failUnknown(kind: ObjectKind, id: string): never {
  return failNotFound(kind, id);
}
