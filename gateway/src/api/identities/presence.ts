import { parsePresence } from '@parley/domain/parse/presence';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

export async function choosePresence(
  ctx: Uses<'presenceReporter'>,
  { appId, userId, incarnation, body }: ApiRequest,
): Promise<HttpResponse> {
  await ctx.presenceReporter.choose({ appId, userId, incarnation }, parsePresence(body));
  return { status: 204 };
}
