import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import { createAppRemovals, noteDeletedApps, type AppRemovalOptions } from '@parley/kit/durable/app-removal';
import { createConsumer } from '@parley/kit/durable/consume';
import { startJobs } from '@parley/kit/durable/work/jobs';
import type { Tx } from '@parley/kit/postgres';
import type { Stopper } from '@parley/kit/runtime/process';
import type { ServiceBase } from '@parley/kit/service/base';

const INTERVAL_MS = 5_000;

/** Data of deleted applications that a service removes. */
export type AppRemovalDefinition = Pick<AppRemovalOptions, 'tables' | 'isPending' | 'finish'> & {
  /** How the service learns of deleted applications; absent in the service that deletes them. */
  events?: {
    /** Name of the durable consumer. */
    durable: string;
    /** The subject of the events that say that an application is deleted. */
    filter: string;
    /** Runs in the transaction that notes the deletion. App ids come in order. */
    handle?: (tx: Tx, appIds: readonly string[]) => Promise<void>;
  };
};

/** Removes what a service holds of deleted applications, in one of its replicas. */
export function startAppRemovals(
  base: ServiceBase,
  stopper: Stopper,
  { events, ...removal }: AppRemovalDefinition,
): void {
  if (events) consumeDeletedApps(base, stopper, events);
  const { db, log, clock } = base;
  startJobs(base, stopper, [
    {
      name: 'app-removals',
      intervalMs: INTERVAL_MS,
      rounds: () => createAppRemovals({ db, log, clock, ...removal }),
    },
  ]);
}

/** Records deleted applications: from then on consumers with `appOf` drop their events. */
function consumeDeletedApps(
  { db, bus, log, clock, metrics }: ServiceBase,
  stopper: Stopper,
  { durable, filter, handle }: NonNullable<AppRemovalDefinition['events']>,
): void {
  const consumer = createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable,
    filter,
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    appOf: undefined,
    handleAll: async (tx, events) => {
      const deleted = events.map(({ appId }) => appId);
      const appIds = await noteDeletedApps(tx, deleted, clock);
      if (appIds.length > 0) await handle?.(tx, appIds);
    },
  });
  stopper.add('consumer of deleted apps', () => consumer.stop());
}
