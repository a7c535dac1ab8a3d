import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  OpenConsoleSessionRequest,
  OpenConsoleSessionResponseSchema,
  RoleGrant,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { openConsoleSession as openSession } from '../../console/sessions.ts';
import { toConsoleSession } from '../../console/view.ts';
import type { Context } from '../../context.ts';
import { isStorable } from '../../identity/fields.ts';
import type { RoleRow } from '../../sql/console-session.ts';

const ROLES = ['viewer', 'operator', 'owner'];
const MAX_ROLES = 1_000;
const MAX_TEXT = 512;

export async function openConsoleSession(
  ctx: Context,
  { person, roles }: OpenConsoleSessionRequest,
): RpcResponse<typeof OpenConsoleSessionResponseSchema> {
  const { issuer = '', subject = '', name = '' } = person ?? {};
  if (issuer === '' || subject === '' || ![issuer, subject, name].every((text) => isStorable(text, MAX_TEXT)))
    failProperty('person');
  if (roles.length === 0 || roles.length > MAX_ROLES) failProperty('roles');
  const opening = { issuer, subject, name, roles: roles.map(toRoleRow), method: 'oidc' as const };
  const { session, token } = await openSession(ctx, ctx.db, opening);
  return { session: toConsoleSession(session), token };
}

function toRoleRow({ role, appId }: RoleGrant): RoleRow {
  if (!ROLES.includes(role) || (appId !== undefined && !isUuid(appId))) failProperty('roles');
  return { role, app_id: appId?.toLowerCase() ?? null };
}

function failProperty(property: string): never {
  fail('invalid_property', { property, message: `${property} of a console session is not valid.` });
}
