import { fail } from '@parley/domain/problems';
import type { RpcResponse } from '@parley/kit/rpc/response';
import type {
  FindAppRequest,
  FindAppResponseSchema,
} from '@parley/proto/parley/identity/v1/console_service_pb';
import { failUnknown, getKey, getProvider } from '../../admin/look-up.ts';
import { parseId } from '../../admin/parse-input.ts';
import type { Context } from '../../context.ts';
import { findAppOfAccessToken } from '../../sql/access-token.ts';

export async function findApp(
  ctx: Context,
  { object }: FindAppRequest,
): RpcResponse<typeof FindAppResponseSchema> {
  switch (object.case) {
    case 'providerId':
      return { appId: (await getProvider(ctx, object.value)).app_uuid };
    case 'keyId':
      return { appId: (await getKey(ctx, object.value)).app_uuid };
    case 'accessTokenId': {
      const id = parseId(ctx.wire, {
        kind: 'access_tokens',
        text: object.value,
        property: 'access_token_id',
      });
      return { appId: (await findAppOfAccessToken(ctx.db, id)) ?? failUnknown('access_token', id) };
    }
    default:
      return fail('missing_property', { property: 'object', message: 'An id is required.' });
  }
}
