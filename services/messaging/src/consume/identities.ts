import { create } from '@parley/codec';
import type { Consumer } from '@parley/kit/durable/consume';
import type { Tx } from '@parley/kit/postgres';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { IdentitySchema, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { consumeInCells } from '../cells/consume.ts';
import type { Context } from '../context.ts';
import { eraseUsers, type ErasedUser } from '../identity/erase.ts';
import { lockBlockCopies, upsertBlockCopies, type BlockCopy } from '../sql/identity/block-copy.ts';
import { upsertIdentities } from '../sql/identity/identity-copy.ts';

/**
 * Keeps the copies of identities and blocks in step with the identity service, and erases users who were erased there.
 */
export function consumeIdentities(contexts: readonly Context[]): Consumer {
  return consumeInCells(contexts, (ctx) => ({
    durable: 'messaging-identities',
    filter: 'event.*.identity.>',
    handleAll: (tx, events) => copyIdentities(ctx, tx, events),
  }));
}

/** Writes table by table, in the order of keys. A version older than the stored one changes nothing. */
async function copyIdentities(ctx: Context, tx: Tx, events: Event[]): Promise<void> {
  const erased = erasedUsers(events);
  await upsertIdentities(tx, newestIdentities(events));
  const blocks = events.flatMap(toBlockCopies);
  await lockBlockCopies(tx, {
    changed: blocks.map(({ app_id }) => app_id),
    erased: erased.map(({ appId }) => appId),
  });
  await upsertBlockCopies(tx, blocks);
  await eraseUsers(ctx, tx, erased);
}

/** The newest identity of each user among the events. */
function newestIdentities(events: readonly Event[]): Identity[] {
  const newest = new Map<string, Identity>();
  for (const event of events) {
    const identity = identityOf(event);
    if (!identity) continue;
    const key = `${event.appId}/${identity.userId}`;
    const known = newest.get(key);
    const incarnation = Math.max(identity.incarnation, known?.incarnation ?? 0);
    const latest = identity.version > (known?.version ?? 0) ? identity : known;
    if (latest) newest.set(key, { ...latest, appId: event.appId, incarnation });
  }
  return [...newest.values()];
}

function identityOf({ appId, body }: Event): Identity | undefined {
  if (body.case === 'identityChanged') return body.value.identity;
  if (body.case !== 'userErased' || body.value.version === 0) return undefined;
  const { userId, version } = body.value;
  return create(IdentitySchema, { appId, userId, version, incarnation: version, deleted: true });
}

function erasedUsers(events: readonly Event[]): ErasedUser[] {
  return events.flatMap(({ appId, body }) => {
    if (body.case !== 'userErased') return [];
    const { userId, blocksUntil, version } = body.value;
    return [{ appId, userId, blocksUntil, version }];
  });
}

function toBlockCopies({ appId, body }: Event): BlockCopy[] {
  if (body.case !== 'blockChanged') return [];
  const { blockedUserId, ownerUserId, blocked, version } = body.value;
  const pair = { app_id: appId, blocked_user_id: blockedUserId, owner_user_id: ownerUserId };
  return [{ ...pair, active: blocked, version }];
}
