import { create, fromBinary, toBinary } from '@parley/codec';
import { durableMessages } from '@parley/domain/events/durable-messages';
import { milestonesOf } from '@parley/domain/events/milestones';
import { logEvents, startEventLog } from '@parley/kit/durable/event-log';
import type { Sql, Tx } from '@parley/kit/postgres';
import type { Stopper } from '@parley/kit/runtime/process';
import { EventSchema, IdentityChangedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { IdentitySchema, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import type { Context } from '../context.ts';
import { findPresences } from '../presence/find.ts';
import { toEventPayload } from '../identity/event-payload.ts';
import { findIdentities } from '../sql/identity.ts';

/** Logs events that consumers must not miss. Ends of sessions are not logged: gateways read the revocations. */
export async function logForRepublishing(tx: Tx, events: readonly Event[]): Promise<void> {
  const logged = events.filter(({ body }) => body.case !== 'sessionsEnded').map(withoutData);
  await logEvents(
    tx,
    logged.map((event) => ({
      id: event.id,
      at: event.createdAt,
      event: toBinary(EventSchema, event),
      appId: event.body.case === 'appDeleted' ? undefined : event.appId,
    })),
  );
}

/**
 * Publishes the logged events again when the broker's stream has lost them. Identities are read as they are now, so that the
 * log holds no personal data that an erasure would have to delete.
 */
export function startLog(ctx: Context, stopper: Stopper): void {
  const log = startEventLog({
    ...ctx,
    stream: 'EVENTS',
    milestones: milestonesOf('identity'),
    render: async (events) =>
      durableMessages(await withData(ctx.db, events.map((event) => fromBinary(EventSchema, event)))), // prettier-ignore
  });
  stopper.add('event log', () => log.stop());
}

function withoutData(event: Event): Event {
  if (event.body.case !== 'identityChanged') return event;
  const { appId, userId } = event.body.value.identity ?? {};
  return withIdentity(event, create(IdentitySchema, { appId, userId }));
}

function withIdentity(event: Event, identity: Identity, presence?: Presence): Event {
  if (event.body.case !== 'identityChanged') return event;
  const { created, fields } = event.body.value;
  const value = create(IdentityChangedSchema, {
    ...toEventPayload(identity),
    created,
    fields,
    ...(presence && { presence }),
  });
  return { ...event, body: { case: 'identityChanged', value } };
}

async function withData(sql: Sql, events: readonly Event[]): Promise<Event[]> {
  const changed = Map.groupBy(
    events.filter(({ body }) => body.case === 'identityChanged'),
    ({ appId }) => appId,
  );
  const identities = new Map<string, Identity>();
  const presences = new Map<string, Presence>();
  for (const [appId, ofApp] of changed) {
    const userIds = [...new Set(ofApp.map((event) => userIdOf(event)))];
    for (const found of await findIdentities(sql, appId, userIds)) {
      identities.set(`${appId}/${found.userId}`, found);
    }
    for (const [userId, presence] of await findPresences(sql, appId, { userIds, viewer: '' })) {
      presences.set(`${appId}/${userId}`, presence);
    }
  }
  return events.flatMap((event) => {
    if (event.body.case !== 'identityChanged') return [event];
    const key = `${event.appId}/${userIdOf(event)}`;
    const identity = identities.get(key);
    return identity ? [withIdentity(event, identity, presences.get(key))] : [];
  });
}

function userIdOf({ body }: Event): string {
  return (body.case === 'identityChanged' && body.value.identity?.userId) || '';
}
