import { parseMessagePatch } from '@parley/domain/parse/patch';
import type { HttpResponse } from '@parley/http/answers/response';
import type { Uses } from '../context.ts';
import { messageRefOf } from '../request/params.ts';
import type { ApiRequest } from '../request/route.ts';

/** Serves both the path for clients and the path for servers, which names the conversation too. */
export async function updateMessage(ctx: Uses<'parts' | 'wire'>, request: ApiRequest): Promise<HttpResponse> {
  const { appId, userId } = request;
  const ref = messageRefOf(ctx, request);
  const operations = parseMessagePatch(request.body);
  await ctx.parts.updateMessage({ appId, userId, ...ref, operations });
  return { status: 204 };
}
