import { createConsumer, type Consumer } from '@parley/kit/consume';
import type { Tx } from '@parley/kit/postgres';
import { EventBatchSchema, type BlockChanged, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { deleteBlockCopies, upsertBlockCopy, type BlockCopy } from '../sql/block-copy.ts';
import { deleteScheduledOf, insertErasure } from '../sql/erasure.ts';
import { eraseIdentity, upsertIdentities, type IdentityRef } from '../sql/identity-copy.ts';

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
    handle: copyIdentity,
  });
}

/** An older version than the one that is there changes nothing. */
async function copyIdentity(tx: Tx, { appId, body }: Event): Promise<void> {
  if (body.case === 'identityChanged' && body.value.identity) {
    await upsertIdentities(tx, [{ ...body.value.identity, appId }]);
  }
  if (body.case === 'blockChanged') await upsertBlockCopy(tx, toBlockCopy(appId, body.value));
  if (body.case === 'userErased') await beginErasure(tx, { app_id: appId, user_id: body.value.userId });
}

function toBlockCopy(appId: string, changed: BlockChanged): BlockCopy {
  return {
    app_id: appId,
    blocked_user_id: changed.blockedUserId,
    owner_user_id: changed.ownerUserId,
    active: changed.blocked,
    version: changed.version,
  };
}

/** What is of the user alone goes at once; a timer works through their conversations. */
async function beginErasure(tx: Tx, user: IdentityRef): Promise<void> {
  await eraseIdentity(tx, user);
  await deleteBlockCopies(tx, user);
  await deleteScheduledOf(tx, user);
  await insertErasure(tx, user);
}
