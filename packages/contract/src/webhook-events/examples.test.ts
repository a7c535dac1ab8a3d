import { HISTORICAL_ARCHIVE, SCHEDULED_ARCHIVE } from '../examples/export-event.ts';
import { HistoricalArchive, ScheduledArchive } from '../records/export-event.ts';
import { mismatches } from '../testing/mismatches.ts';
import { WEBHOOK_EVENTS } from '../values.ts';
import { WEBHOOK_REQUESTS } from './index.ts';

test.each(WEBHOOK_EVENTS)('the example of %s is valid, and of its type', (type) => {
  const body = WEBHOOK_REQUESTS[type]?.body;
  expect(body && mismatches(body.schema, body.example)).toEqual([]);
  expect(body?.example).toMatchObject({ event: { type } });
});

test('the requests to targets have names of their own', () => {
  const ids = Object.values(WEBHOOK_REQUESTS).map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(ids).toContain('onMessagePartCreated');
});

test('the examples of archives are valid', () => {
  expect(mismatches(HistoricalArchive, HISTORICAL_ARCHIVE)).toEqual([]);
  expect(mismatches(ScheduledArchive, SCHEDULED_ARCHIVE)).toEqual([]);
});

test('a property that is not described is a mismatch', () => {
  expect(mismatches(ScheduledArchive, { ...SCHEDULED_ARCHIVE, more: 1 })).not.toEqual([]);
});
