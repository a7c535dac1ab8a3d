import { performOnce } from '@parley/kit/durable/once';
import type { Tx } from '@parley/kit/postgres';
import type {
  CreateSessionRequest,
  CreateSessionResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { changeIdentity, emptyIdentity } from '../identity/change.ts';
import { verifyLogin, type Login } from '../login/verify-login.ts';
import { isNewUserId } from '@parley/domain/user-id';
import { failWithReason } from '../identity-token/verify-token.ts';
import { answerSealer } from '../idempotency/answers.ts';
import { openSession, type OpenedSession } from '../session/sessions.ts';
import { insertUsedNonce } from '../sql/used-nonce.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

/** Exchanges an identity token for a session token: docs/protocol/authentication.md#sessions */
export async function createSession(
  ctx: Context,
  req: CreateSessionRequest,
): RpcResponse<typeof CreateSessionResponseSchema> {
  const login = await verifyLogin(ctx, req);
  const { token, expiresAt, incarnation } = await logIn(ctx, login);
  const { appId, claims } = login;
  return {
    sessionToken: token,
    appId,
    userId: claims.userId,
    expiresAt,
    ...(incarnation !== undefined && { incarnation }),
  };
}

// One transaction: a login that fails leaves the nonce unused.
async function logIn(ctx: Context, { appId, signer, claims, nonce }: Login): Promise<OpenedSession> {
  const user = { appId, userId: claims.userId };
  const open = async (tx: Tx): Promise<OpenedSession> => {
    if (!(await insertUsedNonce(tx, nonce.hash, nonce.expiresAt))) failWithReason('eit_nonce_not_found');
    const { incarnation } = await changeIdentity(ctx, tx, user, (before) => {
      if (!before && !isNewUserId(user.userId)) failWithReason('eit_claim_wrong_type');
      if (before?.suspended) failWithReason('eit_user_suspended');
      return { ...(before ?? emptyIdentity(user)), ...claims.profile };
    });
    const ttlInSeconds = signer.session_ttl_in_seconds;
    return { ...(await openSession(ctx, tx, { ...user, ttlInSeconds })), incarnation };
  };
  const sealer = answerSealer(ctx);
  return ctx.db.tx((tx) =>
    performOnce(tx, {
      name: 'create session',
      run: () => open(tx),
      save: (opened) => sealer.seal(JSON.stringify(opened), user.userId),
      load: (saved) => JSON.parse(sealer.open(saved, user.userId)) as OpenedSession,
    }),
  );
}
