import { webhookJson } from '@parley/domain/json/webhook';
import { checkConveyable } from '@parley/domain/parse/conveyable';
import { parseObject } from '@parley/domain/parse/fields';
import { parseSecretInput } from '@parley/domain/parse/webhook';
import { failNotFound } from '@parley/domain/problems';
import type { Webhook } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { ApiRequest } from '../request/route.ts';
import { webhookKeyOf } from './params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { Uses } from '../context.ts';

export async function createWebhook(ctx: Uses<'webhooks'>, request: ApiRequest): Promise<HttpResponse> {
  const properties = checkConveyable(parseObject(request.body));
  const { webhook } = await ctx.webhooks.createWebhook({ appId: request.appId, properties });
  return show(request, webhook, 201);
}

export async function listWebhooks(
  ctx: Uses<'webhooks' | 'wire'>,
  { appId, view }: ApiRequest,
): Promise<HttpResponse> {
  const { webhooks } = await ctx.webhooks.listWebhooks({ appId });
  return {
    status: 200,
    headers: { [ctx.wire.countHeader]: String(webhooks.length) },
    body: webhooks.map((webhook) => webhookJson(view, webhook)),
  };
}

export async function getWebhook(ctx: Uses<'webhooks' | 'wire'>, request: ApiRequest): Promise<HttpResponse> {
  return show(request, (await ctx.webhooks.getWebhook(webhookKeyOf(ctx, request))).webhook);
}

export async function updateWebhook(
  ctx: Uses<'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const key = webhookKeyOf(ctx, request);
  const properties = checkConveyable(parseObject(request.body));
  return show(request, (await ctx.webhooks.updateWebhook({ ...key, properties })).webhook);
}

export async function activateWebhook(
  ctx: Uses<'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  return show(request, (await ctx.webhooks.activateWebhook(webhookKeyOf(ctx, request))).webhook);
}

export async function deactivateWebhook(
  ctx: Uses<'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  return show(request, (await ctx.webhooks.deactivateWebhook(webhookKeyOf(ctx, request))).webhook);
}

export async function deleteWebhook(
  ctx: Uses<'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await ctx.webhooks.deleteWebhook(webhookKeyOf(ctx, request));
  return { status: 204 };
}

/** The only answer that contains a secret. */
export async function rotateSecret(
  ctx: Uses<'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const key = webhookKeyOf(ctx, request);
  const given = parseSecretInput(request.body);
  const { webhook, secret } = await ctx.webhooks.rotateSecret({
    ...key,
    ...(given !== undefined && { secret: given }),
  });
  const { status, body } = show(request, webhook);
  return { status, body: { ...body, secret } };
}

function show(
  { view, params }: ApiRequest,
  webhook: Webhook | undefined,
  status = 200,
): HttpResponse & { body: object } {
  return {
    status,
    body: webhookJson(view, webhook ?? failNotFound('webhook', params['webhook_id'] ?? null)),
  };
}
