import type { View } from '@parley/domain/json/view';
import type { Wire } from '@parley/domain/wire';
import type { Downloads } from '../upstream/content/downloads.ts';
import type { Auth } from './auth/index.ts';

type Parts = { wire: Wire; downloads: Downloads; config: { publicUrl: string } };

/** The client view without an app and a user. It shows no private fields of identities. */
export function baseView({ wire, downloads, config }: Parts): View {
  return { wire, downloads, baseUrl: config.publicUrl, audience: 'client', appId: '' };
}

/** The client view of a user whose session this gateway has looked up. */
export function clientView(
  ctx: Parts & { auth: Pick<Auth, 'publicIdentityFieldsOf'> },
  { appId, userId }: { appId: string; userId: string },
): View {
  return { ...baseView(ctx), appId, userId, publicIdentityFields: ctx.auth.publicIdentityFieldsOf(appId) };
}
