import { create } from '@bufbuild/protobuf';
import { createConsumer, type Consumer } from '@parley/kit/consume';
import type { Tx } from '@parley/kit/postgres';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { IdentitySchema, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { Context } from '../context.ts';
import { compareKeys } from '../keys.ts';
import {
  eraseBlockCopies,
  lockBlockCopies,
  upsertBlockCopies,
  type BlockCopy,
  type BlockErasure,
} from '../sql/block-copy.ts';
import { deleteScheduledOf, insertErasure } from '../sql/erasure.ts';
import { upsertIdentities } from '../sql/identity-copy.ts';

/** Keeps the copies of identities and blocks as the identity service says they are, and erases whom it says. */
export function consumeIdentities({ db, bus, log, clock, metrics }: Context): Consumer {
  return createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'messaging-identities',
    filter: 'event.*.identity.>',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    handleAll: copyIdentities,
  });
}

/** More scheduled messages of an erased user than that are left to the timer. */
const SCHEDULED_AT_ONCE = 500;

/** Table by table, in the order of keys; an older version than the one that is there changes nothing. */
async function copyIdentities(tx: Tx, events: Event[]): Promise<void> {
  const erased = erasedUsers(events);
  await upsertIdentities(tx, newestIdentities(events));
  if (erased.length > 0) await lockBlockCopies(tx);
  await upsertBlockCopies(tx, events.flatMap(toBlockCopies));
  // What is of the user alone goes at once; a timer works through their conversations.
  for (const user of erased) await eraseBlockCopies(tx, user);
  for (const user of erased) await deleteScheduledOf(tx, user, SCHEDULED_AT_ONCE);
  for (const user of erased) await insertErasure(tx, user);
}

/** What the events come to for each user. Nothing is kept of what a user was before they were erased. */
function newestIdentities(events: readonly Event[]): Identity[] {
  const newest = new Map<string, Identity>();
  for (const { appId, body } of events) {
    if (body.case === 'userErased') {
      const { userId } = body.value;
      // The type stays: the erasure looks for what a bot sent where it takes no part.
      const { version = 0, type } = newest.get(`${appId}/${userId}`) ?? {};
      const gone = create(IdentitySchema, { appId, userId, version, deleted: true });
      newest.set(`${appId}/${userId}`, type === undefined ? gone : { ...gone, type });
    }
    if (body.case !== 'identityChanged' || !body.value.identity) continue;
    const { identity } = body.value;
    const key = `${appId}/${identity.userId}`;
    if (identity.version > (newest.get(key)?.version ?? 0)) newest.set(key, { ...identity, appId });
  }
  return [...newest.values()];
}

function erasedUsers(events: readonly Event[]): BlockErasure[] {
  const users = events.flatMap(({ appId, body }) => {
    if (body.case !== 'userErased') return [];
    const { userId, blocksUntil } = body.value;
    return [{ app_id: appId, user_id: userId, blocks_until: blocksUntil }];
  });
  const byKey = new Map(users.map((user) => [user.app_id + user.user_id, user]));
  return [...byKey].sort(([one], [other]) => compareKeys(one, other)).map(([, user]) => user);
}

function toBlockCopies({ appId, body }: Event): BlockCopy[] {
  if (body.case !== 'blockChanged') return [];
  const { blockedUserId, ownerUserId, blocked, version } = body.value;
  const pair = { app_id: appId, blocked_user_id: blockedUserId, owner_user_id: ownerUserId };
  return [{ ...pair, active: blocked, version }];
}
