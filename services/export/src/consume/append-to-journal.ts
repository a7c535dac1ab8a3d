import { chooseSubjects } from '@parley/domain/events';
import { eventsByApp } from '@parley/domain/events/by-app';
import { createConsumer, type Consumer } from '@parley/kit/consume';
import type { Tx } from '@parley/kit/postgres';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { insertErasedPersons } from '../sql/erased-person.ts';
import { appendToJournal, listOpenJournals } from '../sql/journal.ts';
import { exportEventsOf, journalEntries } from './journal-entries.ts';

/** Keeps the events of applications that have an export schedule, in the order in which they arrive. */
export function consumeEvents({ db, bus, log, clock, metrics }: Context): Consumer {
  return createConsumer({
    db,
    bus,
    log,
    clock,
    metrics,
    durable: 'export-journal',
    filter: 'event.>',
    schema: EventBatchSchema,
    lingerMs: 200,
    choose: (subjects) =>
      chooseSubjects(subjects, {
        always: ['identity.erased'],
        listApps: (appIds) => listOpenJournals(db, appIds),
      }),
    unpack: ({ events }) => events.filter(isForJournal).map((event) => ({ id: event.id, event })),
    appOf: ({ appId }) => appId,
    handleAll: appendEvents,
  });
}

function isForJournal({ body }: Event): boolean {
  return body.case === 'userErased' || exportEventsOf(body).length > 0;
}

async function appendEvents(tx: Tx, events: Event[]): Promise<void> {
  for (const [appId, own] of eventsByApp(events)) {
    await appendToJournal(tx, appId, own.flatMap(journalEntries));
    const erased = own.flatMap(({ body, createdAt: at }) =>
      body.case === 'userErased' ? [{ userId: body.value.userId, at, version: body.value.version }] : [],
    );
    await insertErasedPersons(tx, appId, erased);
  }
}
