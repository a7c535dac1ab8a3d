import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { createAppRemovals, noteDeletedApps, type AppRemovalOptions } from '@parley/kit/durable/app-removal';
import { createConsumer, createDividedConsumer, type ConsumerOptions } from '@parley/kit/durable/consume';
import { startJobs } from '@parley/kit/durable/work/jobs';
import type { Tx } from '@parley/kit/postgres';
import type { Stopper } from '@parley/kit/runtime/process';
import type { ServiceBase } from '@parley/kit/service/base';

import { appOfSubject, type CellOfApp } from './consume.ts';

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

type DeletionEvents = NonNullable<AppRemovalDefinition['events']>;

/** Removes what a service holds of deleted applications, in one of its replicas. */
export function startAppRemovals(
  base: ServiceBase,
  stopper: Stopper,
  { events, ...removal }: AppRemovalDefinition,
): void {
  if (events) {
    const consumer = createConsumer(deletedApps(base, events));
    stopper.add('consumer of deleted apps', () => consumer.stop());
  }
  startJob(base, stopper, removal);
}

/** Removes what a service with cells holds of them. `cellOf`: the index of an application's cell. */
export function startAppRemovalsByCell(
  { cells, cellOf }: { cells: readonly ServiceBase[]; cellOf: CellOfApp },
  stopper: Stopper,
  { events, ...removal }: AppRemovalDefinition & { events: DeletionEvents },
): void {
  const options = cells.map((base) => deletedApps(base, events));
  const consumer = createDividedConsumer(options, (subject) => cellOf(appOfSubject(subject)));
  stopper.add('consumer of deleted apps', () => consumer.stop());
  for (const base of cells) startJob(base, stopper, removal);
}

function startJob(base: ServiceBase, stopper: Stopper, removal: Omit<AppRemovalDefinition, 'events'>): void {
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
function deletedApps(
  { db, bus, log, clock, metrics }: ServiceBase,
  { durable, filter, handle }: DeletionEvents,
): ConsumerOptions<typeof EventBatchSchema, Event> {
  return {
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
  };
}
