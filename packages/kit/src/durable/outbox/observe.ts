import { countDeadLetters, OUTBOX_DEAD_LETTER } from '../dead-letters.ts';
import type { Database } from '../../postgres/index.ts';
import type { Metrics } from '../../runtime/telemetry/metrics.ts';
import { countRows, readAge } from './table.ts';

/** Shows in the metrics how many rows wait in the outbox, and the age of the oldest. */
export function observeOutbox(db: Database, metrics: Metrics): void {
  metrics.reading({
    name: 'outbox_dead_letters',
    help: 'Events in outbox_dead_letter',
    read: () => countDeadLetters(db, OUTBOX_DEAD_LETTER),
  });
  metrics.reading({
    name: 'outbox_waiting',
    help: 'Events that are not published yet.',
    read: () => countRows(db),
  });
  metrics.reading({
    name: 'outbox_oldest_seconds',
    help: 'Age of the oldest event that is not published yet; 0: there is none.',
    read: () => readAge(db),
  });
}
