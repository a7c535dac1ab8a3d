import { fail } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  OpenConsoleSessionRequest,
  OpenConsoleSessionResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { parseRoles } from '../../console/roles.ts';
import { openConsoleSession as openSession } from '../../console/sessions.ts';
import { toConsoleSession } from '../../console/view.ts';
import type { Context } from '../../context.ts';
import { isStorable } from '../../identity/fields.ts';

const MAX_TEXT = 512;

export async function openConsoleSession(
  ctx: Context,
  { person, roles }: OpenConsoleSessionRequest,
): RpcResponse<typeof OpenConsoleSessionResponseSchema> {
  const { issuer = '', subject = '', name = '' } = person ?? {};
  if (issuer === '' || subject === '' || ![issuer, subject, name].every((text) => isStorable(text, MAX_TEXT)))
    failProperty('person');
  const opening = { issuer, subject, name, roles: parseRoles(roles), method: 'oidc' as const };
  const { session, token } = await ctx.db.tx((tx) => openSession(ctx, tx, opening));
  return { session: toConsoleSession(session), token };
}

function failProperty(property: string): never {
  fail('invalid_property', { property, message: `${property} of a console session is not valid.` });
}
