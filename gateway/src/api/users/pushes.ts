import { limits } from '@parley/contract/limits';
import { pushJson } from '@parley/domain/json/push';
import { parsePage } from '@parley/domain/parse/page';
import type { Uses } from '../context.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import { getIdentity } from '../identities/find.ts';
import { pathUserIdOf } from '../request/params.ts';
import type { ApiRequest } from '../request/route.ts';

/** docs/protocol/users.md#pushes */
export async function listPushes(
  ctx: Uses<'identity' | 'pushes' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { wire } = ctx;
  const { appId, query } = request;
  const userId = pathUserIdOf(ctx, request);
  const page = parsePage(wire, query, { kind: 'deliveries', max: limits.deliveryPage });
  await getIdentity(ctx, appId, userId);
  const { pushes, total } = await ctx.pushes.listPushes({ appId, userId, ...page });
  return {
    status: 200,
    headers: { [wire.countHeader]: String(total) },
    body: pushes.map((push) => pushJson(wire, push)),
  };
}
