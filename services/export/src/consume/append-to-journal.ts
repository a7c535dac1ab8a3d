import { chooseSubjects } from '@parley/domain/events';
import { eventsByApp } from '@parley/domain/events/by-app';
import type { Consumer } from '@parley/kit/durable/consume';
import { consumeEvents } from '@parley/events/consume';
import type { Tx } from '@parley/kit/postgres';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { Context } from '../context.ts';
import { insertErasedPersons } from '../sql/erased-person.ts';
import { appendToJournal, listOpenJournals } from '../sql/journal.ts';
import { exportEventsOf, journalEntries } from './journal-entries.ts';

/** Name of the consumer, by which handled events are recorded. */
export const JOURNAL_CONSUMER = 'export-journal';

/** Keeps the events of applications that have an export schedule, in the order in which they arrive. */
export function consumeJournalEvents(ctx: Context): Consumer {
  return consumeEvents(ctx, {
    durable: 'export-journal',
    filter: 'event.>',
    lingerMs: 200,
    choose: (subjects) =>
      chooseSubjects(subjects, {
        always: ['identity.erased'],
        listApps: (appIds) => listOpenJournals(ctx.db, appIds),
      }),
    isWanted: isForJournal,
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
