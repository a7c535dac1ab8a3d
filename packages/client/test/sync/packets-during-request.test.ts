import { createJournal } from '../../src/sync/packets-during-request.ts';
import { messageAt, messageCreated } from './records.ts';

const packet = (position: number) => ({ change: messageCreated(messageAt(position)), timestamp: '' });

test('a reading sees what came since it began, and others do not disturb it', () => {
  const journal = createJournal();
  journal.add([packet(1)]);
  const first = journal.begin();
  journal.add([packet(2)]);
  const second = journal.begin();
  journal.add([packet(3)]);
  expect(first.since()).toEqual([packet(2), packet(3)]);
  first.end();
  first.end();
  expect(second.since()).toEqual([packet(3)]);
  second.end();
  journal.add([packet(4)]);
  expect(journal.begin().since()).toEqual([]);
});
