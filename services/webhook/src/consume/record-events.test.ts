import { sampleEvent } from '@parley/domain/testing/samples';
import { isOfInterest } from './record-events.ts';

const spans = [{ first: 1, last: 2 }];

test.each([
  ['of one message', (ownOnly: boolean) => sampleEvent({ case: 'receiptRecorded', value: { ownOnly } })],
  [
    'of all messages',
    (ownOnly: boolean) => sampleEvent({ case: 'allRead', value: { newlyRead: spans, ownOnly } }),
  ],
])('a receipt %s that is for the reader’s own devices makes no notices', (_, eventOf) => {
  expect([isOfInterest(eventOf(false)), isOfInterest(eventOf(true))]).toEqual([true, false]);
});
