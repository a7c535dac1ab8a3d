import { createAppCache, type AppCache } from '../app-cache.ts';
import type { Context } from '../context.ts';
import type { ApnsCredentials } from '../provider/apns/credentials.ts';
import type { FcmCredentials } from '../provider/fcm/credentials.ts';
import { listCredentials } from '../sql/credentials.ts';

/** Credentials with which an application's pushes are sent. */
export type Credentials = { fcm?: FcmCredentials; apns?: ApnsCredentials };

/** Credentials of applications. */
export type CredentialsStore = AppCache<Credentials>;

export function createCredentialsStore(ctx: Context): CredentialsStore {
  return createAppCache((appId) => readCredentials(ctx, appId));
}

async function readCredentials({ db, sealer }: Context, appId: string): Promise<Credentials> {
  const rows = await listCredentials(db, appId);
  const opened = rows.map(({ provider, sealed }) => [
    provider,
    JSON.parse(sealer.open(sealed, contextOf(appId, provider))) as unknown,
  ]);
  return Object.fromEntries(opened) as Credentials;
}

/** Sealed credentials open for their application and provider alone. */
export function contextOf(appId: string, provider: string): string {
  return `${appId} ${provider}`;
}
