import { createConsumer, type Consumer } from '@parley/kit/consume';
import { EventBatchSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { deleteExportsOfApp } from '../sql/export.ts';
import { disableSchedule, skipJournal } from '../sql/export-schedule.ts';
import { closeJournal } from '../sql/journal.ts';

/** Nobody could download the exports of an app that is deleted: no more are made, and those that are there go. */
export function consumeApps({ db, bus, log, clock, metrics }: Context): Consumer {
  return createConsumer({
    ...{ db, bus, log, clock, metrics },
    durable: 'export-apps',
    filter: 'event.*.app.deleted',
    schema: EventBatchSchema,
    unpack: ({ events }) => events.map((event) => ({ id: event.id, event })),
    // One app after the other in the order of their ids, as the consumer of the journal locks them.
    handleAll: async (tx, events) => {
      for (const appId of [...new Set(events.map((event) => event.appId))].sort()) {
        await disableSchedule(tx, appId);
        await skipJournal(tx, appId, await closeJournal(tx, appId));
        await deleteExportsOfApp(tx, appId);
      }
    },
  });
}
