import { parseAppUri } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import { performOnce } from '@parley/kit/once';
import type { Tx } from '@parley/kit/postgres';
import type {
  CreateSessionRequest,
  CreateSessionResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { changeIdentity, emptyIdentity } from '../identities.ts';
import { gatherEvidence } from '../identity-token/gather-evidence.ts';
import type { Evidence } from '../identity-token/rule.ts';
import { failWithReason, verifyToken, type Claims } from '../identity-token/verify-token.ts';
import { readNonce } from '../nonce.ts';
import { answerSealer } from '../operations.ts';
import { openSession, type OpenedSession } from '../sessions.ts';
import { insertUsedNonce } from '../sql/used-nonce.ts';
import type { Answer } from './answer.ts';

/** SPEC Federated flow: an identity token for a session token. */
export async function createSession(
  ctx: Context,
  req: CreateSessionRequest,
): Answer<typeof CreateSessionResponseSchema> {
  const evidence = await gatherForApp(ctx, req);
  const claims = await verifyToken(evidence);
  const { token, expiresAt } = await logIn(ctx, evidence, claims);
  return { sessionToken: token, appId: evidence.appId, userId: claims.userId, expiresAt };
}

async function gatherForApp(ctx: Context, req: CreateSessionRequest): Promise<Evidence> {
  const app = parseAppUri(ctx.wire, req.appId);
  const evidence = app && (await gatherEvidence(ctx, app.appId, req.identityToken));
  if (!evidence || evidence.signer.environment !== app.environment) return fail('invalid_app_id');
  if (evidence.signer.suspended) return fail('app_suspended');
  return evidence;
}

// One transaction: a login that fails leaves the nonce unused.
async function logIn(ctx: Context, { appId, signer }: Evidence, claims: Claims): Promise<OpenedSession> {
  const nonce = readNonce(ctx.config.nonceSecret, claims.nonce, ctx.clock.now());
  if (!nonce) return failWithReason('eit_nonce_not_found');
  const user = { appId, userId: claims.userId };
  const open = async (tx: Tx): Promise<OpenedSession> => {
    if (!(await insertUsedNonce(tx, nonce.hash, nonce.expiresAt))) failWithReason('eit_nonce_not_found');
    await changeIdentity(ctx, tx, user, (before) => {
      if (before?.suspended) failWithReason('eit_user_suspended');
      return { ...(before ?? emptyIdentity(user)), ...claims.profile };
    });
    return openSession(ctx, tx, { ...user, ttlInSeconds: signer.session_ttl_in_seconds });
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
