import { fail } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  ResolveAutomationTokenRequest,
  ResolveAutomationTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { toRoleGrant } from '../../console/roles.ts';
import type { Context } from '../../context.ts';
import { hashToken } from '../../session/secret-token.ts';
import { findAutomationToken } from '../../sql/automation-token.ts';

export async function resolveAutomationToken(
  { db, clock }: Context,
  { token }: ResolveAutomationTokenRequest,
): RpcResponse<typeof ResolveAutomationTokenResponseSchema> {
  const row = await findAutomationToken(db, hashToken(token), clock.now());
  const { name, roles } = row ?? fail('authentication_required');
  return { name, roles: roles.map(toRoleGrant) };
}
