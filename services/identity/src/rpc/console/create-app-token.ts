import { fail } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  CreateAppTokenRequest,
  CreateAppTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { audit } from '../../admin/audit.ts';
import { getApp } from '../../admin/look-up.ts';
import { resumeSession } from '../../console/sessions.ts';
import type { Context } from '../../context.ts';
import { newSecretToken } from '../../session/secret-token.ts';
import { insertConsoleToken } from '../../sql/console-token.ts';

const LIFETIME_MS = 300_000;

/** The token ends with the session at the latest. Whether the person may have it is for the caller to decide. */
export async function createAppToken(
  ctx: Context,
  { sessionToken, appId: app, access: asked, origin, readsContent, role }: CreateAppTokenRequest,
): RpcResponse<typeof CreateAppTokenResponseSchema> {
  const access = parseAccess(asked);
  const session = await resumeSession(ctx, sessionToken);
  const { id: sessionId, issuer, subject, name } = session;
  const { app_uuid: appId } = await getApp(ctx, app);
  const { token, hash: tokenHash } = newSecretToken();
  const now = ctx.clock.now();
  const expiresAt = Math.min(now + LIFETIME_MS, session.expires_at);
  const id = ctx.newId();
  const action = `access_token.issued_to_${access}`;
  await ctx.db.tx(async (tx) => {
    await audit(ctx, tx, { appId, action, actor: 'admin', subject: id, person: { issuer, subject } });
    const grant = { access, readsContent, role, origin, issuer, subject, sessionId };
    await insertConsoleToken(tx, { id, appId, name, tokenHash, createdAt: now, expiresAt, ...grant });
  });
  return { token, expiresAt };
}

function parseAccess(text: string): 'read' | 'write' {
  if (text === 'read' || text === 'write') return text;
  return fail('invalid_property', { property: 'access', message: 'access must be read or write.' });
}
