import { limits } from '@parley/contract/limits';
import { deliveryDetailJson, deliveryJson } from '@parley/domain/json/delivery';
import { parsePage } from '@parley/domain/parse/page';
import { parseDeliveryStatus, parseReplay } from '@parley/domain/parse/replay';
import { parseTestEventInput } from '@parley/domain/parse/webhook';
import { failNotFound } from '@parley/domain/problems';
import { itemsWeight } from '../../admission/limits/weights.ts';
import { deliveryKeyOf, webhookKeyOf } from './params.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { ApiRequest } from '../request/route.ts';
import type { Uses } from '../context.ts';

export async function listDeliveries(
  ctx: Uses<'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, id: webhookId } = webhookKeyOf(ctx, request);
  const { query, view } = request;
  const status = parseDeliveryStatus(query.get('status'));
  const page = parsePage(ctx.wire, query, { kind: 'deliveries', max: limits.deliveryPage });
  const { deliveries, total } = await ctx.webhooks.listDeliveries({ appId, webhookId, status, ...page });
  return {
    status: 200,
    headers: { [ctx.wire.countHeader]: String(total) },
    body: deliveries.map((delivery) => deliveryJson(view, delivery)),
  };
}

export async function getDelivery(
  ctx: Uses<'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const key = deliveryKeyOf(ctx, request);
  const { delivery = failNotFound('delivery', key.id), body } = await ctx.webhooks.getDelivery(key);
  return { status: 200, body: deliveryDetailJson(request.view, delivery, body) };
}

export async function sendTestEvent(
  ctx: Uses<'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const key = webhookKeyOf(ctx, request);
  const eventType = parseTestEventInput(request.body);
  const { delivery = failNotFound('webhook', key.id) } = await ctx.webhooks.sendTestEvent({
    ...key,
    ...(eventType !== undefined && { eventType }),
  });
  return { status: 202, body: deliveryJson(request.view, delivery) };
}

export async function replayDelivery(
  ctx: Uses<'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await ctx.webhooks.replayDelivery(deliveryKeyOf(ctx, request));
  return { status: 202 };
}

export async function replayDeliveries(
  ctx: Uses<'clock' | 'webhooks' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { appId, id: webhookId } = webhookKeyOf(ctx, request);
  const replay = parseReplay(request.body, ctx.clock.now());
  const { count } = await ctx.webhooks.replayDeliveries({ appId, webhookId, ...replay });
  request.weigh(itemsWeight(count));
  return { status: 202, body: { count } };
}
