import { erasedVersion } from '@parley/domain/incarnation';
import { createConsumer } from '@parley/kit/consume';
import type { Stopper } from '@parley/kit/process';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { insertErasures } from '../sql/erasure.ts';

/** Every reaction to other services' events. */
export function startConsumers({ db, bus, log, clock, metrics }: Context, stopper: Stopper): void {
  const erasures = createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'announcement-erasures',
    filter: 'event.*.identity.erased',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    handleAll: async (tx, events) => {
      const users = events.flatMap(({ appId, body }) =>
        body.case === 'userErased'
          ? [{ appId, userId: body.value.userId, version: erasedVersion(body.value) }]
          : [],
      );
      await insertErasures(tx, users);
    },
  });
  stopper.add('consumer of erasures', () => erasures.stop());
}
