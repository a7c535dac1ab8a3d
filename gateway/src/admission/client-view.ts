import type { View } from '@parley/domain/json/view';
import type { GatewayContext } from '../context.ts';

type Parts = Pick<GatewayContext, 'wire' | 'downloads' | 'config'>;

/** The view of clients, without an app and a user. It shows no private field of an identity. */
export function baseView({ wire, downloads, config }: Parts): View {
  return { wire, downloads, baseUrl: config.publicUrl, audience: 'client', appId: '' };
}

/** The view of an app's user whose session this gateway looked up. */
export function clientView(
  ctx: Parts & { auth: Pick<GatewayContext['auth'], 'publicIdentityFieldsOf'> },
  { appId, userId }: { appId: string; userId: string },
): View {
  return { ...baseView(ctx), appId, userId, publicIdentityFields: ctx.auth.publicIdentityFieldsOf(appId) };
}
