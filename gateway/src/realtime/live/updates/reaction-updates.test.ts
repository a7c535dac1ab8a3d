import { create } from '@bufbuild/protobuf';
import type { ChangeStep } from '@parley/domain/json/change';
import { createWire } from '@parley/domain/wire';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { EventSchema, ReactionsChangedSchema } from '@parley/proto/parley/event/v1/event_pb';
import type { FrameBody } from '../../connection/frame.ts';
import type { PacketSink } from '../render/recipients.ts';
import { createReactionUpdates, type ReactionUpdates } from './reaction-updates.ts';

const appId = '01970000-0000-7000-8000-000000000001';
const conversationId = '01970000-0000-7000-8000-000000000002';
const messageId = '01970000-0000-7000-8000-000000000003';

let clock: TestClock;
let updates: ReactionUpdates;
let failures: unknown[];

beforeEach(() => {
  clock = createTestClock(1_000_000);
  failures = [];
  updates = createReactionUpdates({
    view: { wire: createWire('svc'), baseUrl: 'http://gateway.test', audience: 'client', appId: '' },
    clock,
    failed: (error) => void failures.push(error),
  });
});
afterEach(() => {
  updates.stop();
  expect(failures).toEqual([]);
});

type Listener = { userId: string; sockets: PacketSink[]; steps: string[] };

function connect(userId: string): Listener {
  const steps: string[] = [];
  const push = (_: string, { json }: FrameBody): void => {
    for (const step of (JSON.parse(json) as { data: ChangeStep[] }).data) steps.push(textOf(step));
  };
  return { userId, sockets: [{ push }], steps };
}

/** Without names, which come with each count. */
function textOf({ operation, property, ...rest }: ChangeStep): string {
  const value = 'value' in rest ? ` ${JSON.stringify(rest.value)}` : '';
  return `${operation} ${property}${value}`;
}

function counts({ steps }: Listener): string[] {
  return steps.filter((step) => !step.includes('.recent '));
}

const eventAt = (seq: number) => create(EventSchema, { appId, conversationId, seq });

type Change = { key: string; count: number; by?: string; removed?: boolean };

function react(listeners: readonly Listener[], seq: number, { key, count, by, removed = false }: Change) {
  const value = create(ReactionsChangedSchema, {
    messageId,
    position: 1,
    reactions: [{ key, count, recent: [] }],
    changes: by === undefined ? [] : [{ key, user: { userId: by }, removed }],
  });
  updates.changed(eventAt(seq), value, listeners);
}

test('changes of 250 ms are one packet with the last count of each key', () => {
  const [ann, bob] = [connect('ann'), connect('bob')];
  react([ann, bob], 1, { key: 'a', count: 1, by: 'bob' });
  react([ann, bob], 2, { key: 'a', count: 2 });
  react([ann, bob], 3, { key: 'b', count: 1 });
  clock.advance(249);
  expect(ann.steps).toEqual([]);
  clock.advance(1);
  expect(counts(ann)).toEqual(['set reactions.a.count 2', 'set reactions.b.count 1']);
  expect(counts(bob)).toEqual([
    'set reactions.a.count 2',
    'set reactions.b.count 1',
    'set reactions.a.own true',
  ]);
});

test('a user who is forgotten gets at once what happened before, and nothing later', () => {
  const [ann, bob] = [connect('ann'), connect('bob')];
  react([ann, bob], 1, { key: 'a', count: 1 });
  updates.forget(eventAt(2), 'ann');
  expect(counts(ann)).toEqual(['set reactions.a.count 1']);
  react([bob], 3, { key: 'a', count: 2 });
  clock.advance(250);
  expect(counts(ann)).toEqual(['set reactions.a.count 1']);
  expect(counts(bob)).toEqual(['set reactions.a.count 2']);
});
