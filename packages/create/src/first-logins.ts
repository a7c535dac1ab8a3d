import { signIdentityToken } from '@parley/client/server';
import type { Application } from './application.ts';
import { send } from './request.ts';

/** The users of the first page. A user exists from their first login on, and nobody can write to them before. */
const USERS = { ada: 'Ada', grace: 'Grace' };

/** Logs each user in once, which shows that the key is right, and ends the sessions. */
export async function logInFirst(
  origin: string,
  { appId, providerId, keyId, privateKey }: Application,
): Promise<void> {
  const wireName = appId.split(':', 1)[0] ?? 'svc';
  const accept = `application/vnd.${wireName}+json; version=3.0`;
  const scheme = wireName.charAt(0).toUpperCase() + wireName.slice(1);
  for (const [userId, name] of Object.entries(USERS)) {
    const { nonce } = (await (await send(`${origin}/nonces`, { headers: { accept } })).json()) as {
      nonce: string;
    };
    const profile = { display_name: name };
    const token = await signIdentityToken({
      userId,
      nonce,
      providerId,
      keyId,
      privateKey,
      profile,
      wireName,
    });
    const body = { identity_token: token, app_id: appId };
    const opened = await send(`${origin}/sessions`, { headers: { accept }, body });
    const { session_token: session } = (await opened.json()) as { session_token: string };
    const authorization = `${scheme} session-token="${session}"`;
    await send(`${origin}/sessions/${encodeURIComponent(session)}`, {
      method: 'DELETE',
      headers: { accept, authorization },
    });
  }
}
