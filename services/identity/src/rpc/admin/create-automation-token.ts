import { fail } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  CreateAutomationTokenRequest,
  CreateAutomationTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import { audit } from '../../admin/audit.ts';
import { parseExpiry, parseName } from '../../admin/parse-input.ts';
import { toAutomationToken } from '../../console/automation-token.ts';
import { parseRoles } from '../../console/roles.ts';
import type { Context } from '../../context.ts';
import { newSecretToken } from '../../session/secret-token.ts';
import { insertAutomationToken } from '../../sql/automation-token.ts';

/** Answers the token, once: only its hash is stored. */
export async function createAutomationToken(
  ctx: Context,
  req: CreateAutomationTokenRequest,
): RpcResponse<typeof CreateAutomationTokenResponseSchema> {
  const name = parseName(req.name);
  const roles = parseRoles(req.roles);
  const now = ctx.clock.now();
  const expiresAt = parseExpiry(req.expiresAt, now);
  const { token, hash: tokenHash } = newSecretToken();
  const id = ctx.newId();
  const row = await ctx.db.tx(async (tx) => {
    await audit(ctx, tx, { action: 'automation_token.created', actor: 'admin', subject: id });
    return (
      (await insertAutomationToken(tx, { id, name, tokenHash, roles, expiresAt, createdAt: now })) ??
      fail('conflict', { message: 'There is an automation token of this name.' })
    );
  });
  return { automationToken: toAutomationToken(row), token };
}
