import { create } from '@bufbuild/protobuf';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { HeadSchema } from '@parley/proto/parley/live/v1/live_pb';
import fc from 'fast-check';
import {
  addEvent,
  addHead,
  createStream,
  hasUndelivered,
  missingRange,
  noteDelivered,
  rewind,
  skipTo,
  takeNext,
  type Stream,
} from './stream.ts';

function eventOf(seq: number): Event {
  return create(EventSchema, { appId: 'a', conversationId: 'c', seq, createdAt: seq });
}

/** A stream that has delivered these changes, in order. */
function delivered(upTo: number): Stream {
  const stream = createStream('a', 'c');
  for (let seq = 1; seq <= upTo; seq++) {
    addEvent(stream, eventOf(seq), seq);
    deliverWhatIsHere(stream);
  }
  return stream;
}

function deliverWhatIsHere(stream: Stream): number[] {
  const seqs: number[] = [];
  while (hasUndelivered(stream) && !missingRange(stream)) {
    const event = takeNext(stream);
    if (!event) throw new Error('there is no next event');
    noteDelivered(stream, event.seq);
    seqs.push(event.seq);
  }
  return seqs;
}

test('delivers every change once and in order, however its events and their copies arrive', () => {
  const arrivals = fc.integer({ min: 2, max: 12 }).chain((count) =>
    fc.shuffledSubarray(
      [...Array(2 * count).keys()].map((index) => 2 + (index % count)),
      { minLength: 2 * count },
    ),
  );
  fc.assert(
    fc.property(arrivals, (seqs) => {
      const stream = delivered(1);
      const found = seqs.flatMap((seq) => {
        addEvent(stream, eventOf(seq), seq);
        return deliverWhatIsHere(stream);
      });
      expect(found).toEqual([...new Set(seqs)].sort((a, b) => a - b));
      expect(stream).toMatchObject({ next: undefined, waiting: new Map() });
    }),
  );
});

test('keeps the event that is next while it begins with an earlier change again', () => {
  const stream = delivered(9);
  addEvent(stream, eventOf(10), 10);
  addHead(stream, create(HeadSchema, { conversationId: 'c', firstSeq: 0, seq: 10 }), undefined);
  stream.rewindTo = 9;
  rewind(stream);
  addEvent(stream, eventOf(9), 9);
  expect(deliverWhatIsHere(stream)).toEqual([9, 10]);
});

test('keeps no event of a range that is skipped', () => {
  const stream = delivered(1);
  addEvent(stream, eventOf(2), 2);
  addEvent(stream, eventOf(4), 4);
  addEvent(stream, eventOf(6), 6);
  skipTo(stream, 4);
  expect(missingRange(stream)).toMatchObject({ first: 5, last: 5 });
  expect([...stream.waiting.keys(), stream.next]).toEqual([6, undefined]);
});
