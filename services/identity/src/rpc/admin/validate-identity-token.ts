import type {
  ValidateIdentityTokenRequest,
  ValidateIdentityTokenResponseSchema,
} from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type { Context } from '../../context.ts';
import { gatherEvidence } from '../../identity-token/gather-evidence.ts';
import { REASONS } from '@parley/contract/token-reasons';
import type { Evidence, Rule } from '../../identity-token/rule.ts';
import { STRUCTURE_RULES } from '../../identity-token/rules.ts';
import { parseAppId } from '../../admin/parse-input.ts';
import { failUnknown } from '../../admin/look-up.ts';

/**
 * Applies every rule except those of time and of the nonce. A token that cannot be read breaks every rule.
 * docs/protocol/authentication.md#rules-of-an-identity-token
 */
export async function validateIdentityToken(
  ctx: Context,
  req: ValidateIdentityTokenRequest,
): RpcResponse<typeof ValidateIdentityTokenResponseSchema> {
  const appId = parseAppId(ctx.wire, req.appUuid);
  const evidence = (await gatherEvidence(ctx, appId, req.identityToken)) ?? failUnknown('app', appId);
  const rules = await Promise.all(STRUCTURE_RULES.map((rule) => applyRule(rule, evidence)));
  return { valid: rules.every(({ passed }) => passed), rules };
}

async function applyRule(rule: Rule, evidence: Evidence) {
  const reason = evidence.token.flaw ?? (await rule.check(evidence));
  if (!reason) return { name: rule.name, passed: true, reason: '', message: '' };
  return { name: rule.name, passed: false, reason, message: REASONS[reason] };
}
