import { webhookJson } from '@parley/domain/json/webhook';
import { checkConveyable } from '@parley/domain/parse/conveyable';
import { optionalText, parseObject } from '@parley/domain/parse/fields';
import { fail } from '@parley/domain/problems';
import type { Webhook } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { Answer, ApiRequest, Handler } from '../route.ts';
import { webhookKeyOf } from './params.ts';

export const createWebhook: Handler = async (ctx, request) => {
  const properties = checkConveyable(parseObject(request.body));
  const { webhook } = await ctx.webhooks.createWebhook({ appId: request.appId, properties });
  return show(request, webhook, 201);
};

export const listWebhooks: Handler = async (ctx, { appId, view }) => {
  const { webhooks } = await ctx.webhooks.listWebhooks({ appId });
  return {
    status: 200,
    headers: { [ctx.wire.countHeader]: String(webhooks.length) },
    body: webhooks.map((webhook) => webhookJson(view, webhook)),
  };
};

export const getWebhook: Handler = async (ctx, request) =>
  show(request, (await ctx.webhooks.getWebhook(webhookKeyOf(ctx, request))).webhook);

export const updateWebhook: Handler = async (ctx, request) => {
  const key = webhookKeyOf(ctx, request);
  const properties = checkConveyable(parseObject(request.body));
  return show(request, (await ctx.webhooks.updateWebhook({ ...key, properties })).webhook);
};

export const activateWebhook: Handler = async (ctx, request) =>
  show(request, (await ctx.webhooks.activateWebhook(webhookKeyOf(ctx, request))).webhook);

export const deactivateWebhook: Handler = async (ctx, request) =>
  show(request, (await ctx.webhooks.deactivateWebhook(webhookKeyOf(ctx, request))).webhook);

export const deleteWebhook: Handler = async (ctx, request) => {
  await ctx.webhooks.deleteWebhook(webhookKeyOf(ctx, request));
  return { status: 204 };
};

/** The one answer that ever shows a secret. */
export const rotateSecret: Handler = async (ctx, request) => {
  const key = webhookKeyOf(ctx, request);
  const given = optionalText(parseObject(request.body ?? {}), 'secret');
  const { webhook, secret } = await ctx.webhooks.rotateSecret({
    ...key,
    ...(given !== undefined && { secret: given }),
  });
  const { status, body } = show(request, webhook);
  return { status, body: { ...body, secret } };
};

function show({ view }: ApiRequest, webhook: Webhook | undefined, status = 200): Answer & { body: object } {
  return { status, body: webhookJson(view, webhook ?? fail('not_found')) };
}
