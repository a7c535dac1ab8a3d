import { limits } from '@parley/domain/limits';
import { deliveryDetailJson, deliveryJson } from '@parley/domain/json/delivery';
import { parsePage } from '@parley/domain/parse/page';
import { parseDeliveryStatus, parseReplay } from '@parley/domain/parse/replay';
import { fail } from '@parley/domain/problems';
import type { Handler } from '../route.ts';
import { itemsWeight } from '../../limits/weights.ts';
import { deliveryKeyOf, webhookKeyOf } from './params.ts';

export const listDeliveries: Handler = async (ctx, request) => {
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
};

export const getDelivery: Handler = async (ctx, request) => {
  const { delivery } = await ctx.webhooks.getDelivery(deliveryKeyOf(ctx, request));
  return { status: 200, body: deliveryDetailJson(request.view, delivery ?? fail('not_found')) };
};

export const replayDelivery: Handler = async (ctx, request) => {
  await ctx.webhooks.replayDelivery(deliveryKeyOf(ctx, request));
  return { status: 202 };
};

export const replayDeliveries: Handler = async (ctx, request) => {
  const { appId, id: webhookId } = webhookKeyOf(ctx, request);
  const replay = parseReplay(request.body, ctx.clock.now());
  const { count } = await ctx.webhooks.replayDeliveries({ appId, webhookId, ...replay });
  request.weigh(itemsWeight(count));
  return { status: 202, body: { count } };
};
