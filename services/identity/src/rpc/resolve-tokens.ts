import type { MessageInitShape } from '@bufbuild/protobuf';
import { problem } from '@parley/domain/problems';
import {
  Caller_Kind,
  type ResolveTokensRequest,
  type ResolveTokensResponse_ResultSchema,
  type ResolveTokensResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { resolveTokens as findTokens, type TokenRow } from '../sql/token.ts';
import type { RpcResponse } from '@parley/kit/rpc/response';

type Result = MessageInitShape<typeof ResolveTokensResponse_ResultSchema>;

/** Resolves all tokens by one statement, since gateways ask for many at once. */
export async function resolveTokens(
  ctx: Context,
  { items }: ResolveTokensRequest,
): RpcResponse<typeof ResolveTokensResponseSchema> {
  if (items.length === 0) return {};
  const queries = items.map(({ kind, tokenHash }) => ({
    isSession: kind === Caller_Kind.SESSION,
    hash: tokenHash,
  }));
  const rows = await findTokens(ctx.db, queries, ctx.clock.now());
  return { results: rows.map((row, index) => toResult(row, items[index]?.takesConsoleTokens ?? false)) };
}

function toResult(row: TokenRow, takesConsoleTokens: boolean): Result {
  if (row.id === null || (row.access !== null && !takesConsoleTokens))
    return { outcome: { case: 'problem', value: problem('authentication_required') } };
  if (row.app_suspended) return { outcome: { case: 'problem', value: problem('app_suspended') } };
  const kind = row.user_id === null ? Caller_Kind.ACCESS_TOKEN : Caller_Kind.SESSION;
  const { id, app_id: appId, user_id: userId, expires_at: expiresAt } = row;
  const value = {
    kind,
    id,
    appId,
    userId: userId ?? '',
    expiresAt: expiresAt ?? 0,
    allowedOrigins: row.origin === null ? (row.allowed_origins ?? []) : [row.origin],
    inlineBodyBytes: row.inline_body_bytes,
    publicIdentityFields: { names: row.public_identity_fields },
    userDirectory: row.user_directory,
    ...(row.incarnation !== null && { incarnation: row.incarnation }),
    readOnly: row.access === 'read',
    withoutContent: row.reads_content === false,
    ...(row.actor_issuer !== null && { actorIssuer: row.actor_issuer }),
    ...(row.actor_subject !== null && { actorSubject: row.actor_subject }),
    ...(row.actor_role !== null && { actorRole: row.actor_role }),
  };
  return { outcome: { case: 'caller', value } };
}
