import { create, toBinary } from '@parley/codec';
import { derivedId } from '@parley/domain/derived-id';
import { holdOffErasures } from '@parley/kit/postgres/erasure-barrier';
import type { TraceOf } from '@parley/kit/durable/consume';
import type { Tx } from '@parley/kit/postgres';
import type { Event, PushRequested } from '@parley/proto/parley/event/v1/event_pb';
import type { PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import { PushContentSchema } from '@parley/proto/parley/push/v1/push_pb';
import type { Context } from '../context.ts';
import { routeOf, type Route } from '../provider/route.ts';
import { listProviders } from '../sql/credentials.ts';
import { insertDeliveries, type NewDelivery } from '../sql/delivery.ts';

/** A day: of events of the release before, which say no time. */
const DEFAULT_TTL_MS = 86_400_000;

/**
 * Stores a delivery for each device of each push, unless it is too late to show it. Returns how many. A push to a device is
 * stored once, however often its event arrives.
 */
export async function recordPushes(
  ctx: Context,
  tx: Tx,
  { events, traceOf }: { events: readonly Event[]; traceOf: TraceOf },
): Promise<number> {
  const appIds = [...new Set(events.map(({ appId }) => appId))].sort();
  const providers = await listProviders(tx, appIds);
  const targetIds = new Map<string, string>();
  const targetIdOf = (appId: string, target: string): string => {
    const known = targetIds.get(appId + target) ?? derivedId(appId, target);
    targetIds.set(appId + target, known);
    return known;
  };
  const deliveries = events.flatMap((event) => deliveriesOf(ctx, event, { providers, targetIdOf, traceOf }));
  if (deliveries.length === 0) return 0;
  await holdOffErasures(tx, appIds);
  await insertDeliveries(tx, deliveries);
  return deliveries.length;
}

type Known = {
  /** Providers, as `<app id> <provider>`. */
  providers: ReadonlySet<string>;
  targetIdOf(appId: string, target: string): string;
  traceOf: TraceOf;
};

function deliveriesOf(ctx: Context, event: Event, { providers, targetIdOf, traceOf }: Known): NewDelivery[] {
  const { id, appId, createdAt, body } = event;
  if (body.case !== 'pushRequested') return [];
  const push = body.value;
  const expiresAt = push.expiresAt || createdAt + DEFAULT_TTL_MS;
  if (expiresAt <= ctx.clock.now()) return [];
  return push.tokens.flatMap((token) => {
    const route = routeOf(ctx.config, token);
    if (!route || !isServed(route, appId, providers)) return [];
    return {
      appId,
      targetId: targetIdOf(appId, route.target),
      id: ctx.newId(),
      eventId: id,
      userId: push.userId,
      deviceId: token.deviceId,
      provider: route.provider,
      conversationId: push.conversationId || null,
      messageId: push.messageId || null,
      senderId: push.sender?.userId ?? null,
      createdAt,
      dueAt: ctx.clock.now(),
      expiresAt,
      isAwaited: push.isAwaited,
      traceparent: traceOf(event) ?? null,
      content: contentOf(push, token),
    };
  });
}

/** Whether Parley sends the push: without credentials, one to a phone is left to a connector of the operator. */
function isServed({ provider }: Route, appId: string, providers: ReadonlySet<string>): boolean {
  return provider === 'web' || providers.has(`${appId} ${provider}`);
}

function contentOf(push: PushRequested, token: PushToken): Uint8Array {
  const { notification, badge, conversationId, messageId, sender, data } = push;
  const content = create(PushContentSchema, {
    token,
    conversationId,
    messageId,
    ...(notification && { notification }),
    ...(badge && { badge }),
    ...(sender && { sender }),
    ...(data && { data }),
  });
  return toBinary(PushContentSchema, content);
}
