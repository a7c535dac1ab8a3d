import { create, toBinary } from '@bufbuild/protobuf';
import { systemClock } from '@parley/kit/runtime/clock';
import { EventBatchSchema, EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { HeadsSchema } from '@parley/proto/parley/live/v1/live_pb';
import fc from 'fast-check';
import type { Connection } from '../connection/connection.ts';
import { createHub } from '../connection/hub.ts';
import type { PresenceWatchers } from '../presence/watchers.ts';
import { createIncoming } from './incoming.ts';
import { createRepairs } from './repair/repairs.ts';
import type { TypingSignals } from './signals.ts';
import { createConversationStreams } from './streams.ts';

type Step =
  /** Commits a change, and sends its event and its conversation's head. */
  | { do: 'send' }
  /** A message on its way arrives; `again`: another copy of it follows. */
  | { do: 'arrive'; which: number; again: boolean }
  | { do: 'lose'; which: number }
  /** The database loses its last changes. */
  | { do: 'forget'; count: number }
  /** The gateway learns of the present epoch; sockets end, and their clients read the lists. */
  | { do: 'learn' }
  /** A pending fetch is answered. */
  | { do: 'answer' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Step>({ do: 'send' }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('arrive' as const), which: fc.nat(20), again: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), count: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'learn' }) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'answer' }) },
); // prettier-ignore

const [appId, conversationId] = ['app', 'room'];
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A database with the log of one conversation, a broker that delays messages arbitrarily, and a gateway. */
function createWorld() {
  const world = { log: [] as Event[], epoch: 1, known: 1, sent: 0, era: 0 };
  const onTheWay: { kind: 'event' | 'heads'; payload: Uint8Array }[] = [];
  /** Everything the clients of the present sockets know: from the lists, and from later packets. */
  let read = new Set<string>();
  let told: string[] = [];
  const hub = createHub();
  hub.add({ caller: { appId, userId: 'ann' } } as Partial<Connection> as Connection);
  const failed = (error: unknown): never => {
    throw error;
  };
  const between = async (first: number, last: number) => {
    const found = world.log.filter(({ seq }) => seq >= first && seq <= last);
    await turn();
    return found;
  };
  const streams = createConversationStreams({
    deliver: ({ id }) => void told.push(id),
    fetch: (_app, _conversation, first, last) => between(first, last),
    isFollowed: () => true,
    now: () => 0,
    failed,
  });
  const options: Partial<Parameters<typeof createIncoming>[0]> = {
    ...{ hub, streams, clock: systemClock, failed },
    signals: {} as TypingSignals,
    presence: {} as PresenceWatchers,
    repairs: createRepairs({ failed, setTimer: systemClock.setTimer }),
    epochs: {
      isCurrent: (epoch) => epoch === String(world.known),
      suspect: () => undefined,
      told: () => undefined,
    },
    era: () => world.era,
    changeAt: async (_app, _conversation, seq) => (await between(seq, seq))[0],
  };
  const { handlers } = createIncoming(options as Parameters<typeof createIncoming>[0]);

  function send(): void {
    const seq = world.log.length + 1;
    const id = `change ${++world.sent}`;
    const event = create(EventSchema, { id, appId, conversationId, seq, createdAt: world.sent, body: BODY });
    world.log.push(event);
    const epoch = String(world.epoch);
    const batch = create(EventBatchSchema, { events: [event], epoch });
    onTheWay.push({ kind: 'event', payload: toBinary(EventBatchSchema, batch) });
    const heads = create(HeadsSchema, { heads: [{ conversationId, firstSeq: seq, seq }], epoch });
    onTheWay.push({ kind: 'heads', payload: toBinary(HeadsSchema, heads) });
  }

  function arrive(which: number, again: boolean): void {
    const at = which % Math.max(1, onTheWay.length);
    const message = onTheWay[at];
    if (!message) return;
    if (!again) onTheWay.splice(at, 1);
    if (message.kind === 'event') handlers.event(message.payload, appId);
    else handlers.heads(message.payload, appId);
  }

  function learn(): void {
    if (world.known === world.epoch) return;
    world.known = world.epoch;
    world.era += 1;
    streams.forgetAll();
    told = [];
    read = new Set(world.log.map(({ id }) => id));
  }

  return {
    async take(one: Step): Promise<void> {
      if (one.do === 'send') send();
      else if (one.do === 'arrive') arrive(one.which, one.again);
      // A head is repeated until it has arrived.
      else if (one.do === 'lose' && onTheWay[one.which]?.kind === 'event') onTheWay.splice(one.which, 1);
      else if (one.do === 'forget') {
        world.log.splice(Math.max(0, world.log.length - one.count));
        world.epoch += 1;
      } else if (one.do === 'learn') learn();
      else await turn();
    },
    /** All messages arrive, and all fetches are answered. */
    async settle(): Promise<void> {
      learn();
      while (onTheWay.length > 0) arrive(0, false);
      for (let turns = 0; turns < 40; turns++) await turn();
    },
    stored: () => world.log.map(({ id }) => id),
    known: () => [...new Set([...read, ...told])].sort(byNumber),
    told: () => told,
  };
}

const BODY = { case: 'messageDeleted' as const, value: {} };
const byNumber = (one: string, other: string): number =>
  Number(one.replace('change ', '')) - Number(other.replace('change ', ''));

test('whatever the database loses, and whatever of it arrives late, clients know all that is stored and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const world = createWorld();
      for (const one of steps) await world.take(one);
      await world.settle();
      expect(world.known()).toEqual(world.stored());
      expect(world.told().every((id) => world.stored().includes(id))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
