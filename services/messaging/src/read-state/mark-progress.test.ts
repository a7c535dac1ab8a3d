import { create } from '@bufbuild/protobuf';
import { hasBit, noBits, withBit, withoutBit } from '@parley/domain/bits';
import { statusOf } from '@parley/domain/receipts';
import { fraction } from '@parley/testing/fraction';
import { ReceiptStateSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import fc from 'fast-check';
import { bitOf, bitmapOf } from './bitmap.ts';
import { isDeleted, type ExclusionBitmaps } from './exclusions.ts';
import {
  markDeliveredUpTo,
  markReadUpTo,
  markException,
  markDelivered,
  markHidden,
  markSent,
  markRead,
  markHiddenOnArrival,
} from './mark-progress.ts';
import { createProgress, floorOf, isHidden, type Progress, type ProgressBitmaps } from './progress.ts';
import { contains, type Range } from './ranges.ts';
import { toReceiptStatus } from './receipt-bitmaps.ts';
import type { ParticipantRow } from '../sql/conversation/participant.ts';
import { unreadCount, visibleCount } from './unread.ts';

type Message = {
  own: boolean;
  low: boolean;
  /** Whether the message has the other significance for the participant. */
  contrary: boolean;
  deleted: boolean;
  read: boolean;
  delivered: boolean;
  hidden: boolean;
};

/** One participant's rows as they are stored, and the same state as naive sets. */
type World = {
  row: ParticipantRow;
  bitmaps: Map<number, ProgressBitmaps>;
  exclusions: Map<number, ExclusionBitmaps>;
  messages: Message[];
};

const member: Range[] = [{ first: 4, last: Infinity }];

function createWorld(): World {
  const row: ParticipantRow = {
    app_id: 'app',
    conversation_id: 'conversation',
    user_id: 'user',
    member: '{[4,)}',
    joined_seq: 1,
    left_seq: null,
    left_head: null,
    read_until: 0,
    delivered_until: 0,
    hidden_until: 0,
    covered_count: 0,
    hidden_count: 0,
    unlisted_at: null,
  };
  return { row, bitmaps: new Map(), exclusions: new Map(), messages: [] };
}

// The bitmaps that a statement loads: those at the watermarks and that of the position, or all.
function load(world: World, position: number, reach: 'near' | 'all'): Progress {
  const { row } = world;
  const at = (number: number, size: number): Range => ({ first: number, last: number + size - 1 });
  const fromDelivered = bitmapOf(Math.max(row.read_until, row.delivered_until) + 1);
  const near = [at(bitmapOf(position), 1), at(bitmapOf(row.read_until + 1), 2), at(fromDelivered, 2)];
  const known = reach === 'all' ? [{ first: bitmapOf(row.read_until + 1), last: Infinity }] : near;
  const stored = [...world.bitmaps].filter(([number]) => contains(known, number));
  return createProgress({ ...row }, new Map(stored), known);
}

function store(world: World, { row, bitmaps, changedBitmaps, droppedBitmaps, changed }: Progress): void {
  if (changed) world.row = row;
  for (const number of changedBitmaps) world.bitmaps.set(number, bitmaps.get(number)!);
  for (const number of droppedBitmaps) world.bitmaps.delete(number);
}

type Arrival = 'own' | 'other' | 'hidden' | 'exception';

type Step =
  | { kind: Arrival; low: boolean; times: number }
  | { kind: 'read' | 'deliver' | 'hide' | 'delete' | 'read all' | 'deliver all'; at: number };

const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom<Arrival>('own', 'other', 'hidden', 'exception'),
      low: fc.boolean(),
      times: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 90 })),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('read' as const, 'deliver' as const, 'hide' as const, 'delete' as const),
      at: fraction,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('read all' as const, 'deliver all' as const),
      at: fraction,
    }),
  },
);

function take(world: World, step: Step): void {
  if (!('at' in step)) {
    for (let time = 0; time < step.times; time++) arrive(world, step.kind, step.low);
    return;
  }
  const head = world.messages.length;
  if (head === 0) return;
  const position = 1 + Math.floor(step.at * (head - 1));
  const message = world.messages[position - 1]!;
  const positions = { head, exclusions: world.exclusions };
  if (step.kind === 'read all') return readAll(world, position);
  if (step.kind === 'deliver all') return deliverAll(world, position);
  if (message.deleted) return;
  if (step.kind === 'delete') return deleteForAll(world, position);
  if (message.hidden) return;
  const progress = load(world, position, 'near');
  if (step.kind === 'hide') {
    markHidden(progress, position, world.exclusions);
    message.hidden = true;
  } else {
    const record = step.kind === 'read' ? markRead : markDelivered;
    const isTaken = !message.own && contains(member, position);
    const isNew = isTaken && !message.read && (step.kind === 'read' || !message.delivered);
    if (!message.own) expect(record(progress, position, positions)).toBe(isNew);
    if (isTaken) message[step.kind === 'read' ? 'read' : 'delivered'] = true;
  }
  store(world, progress);
}

function arrive(world: World, kind: Arrival, low: boolean): void {
  const position = world.messages.length + 1;
  const isMember = contains(member, position);
  const own = kind === 'own' && isMember;
  const hidden = kind === 'hidden' && isMember;
  const contrary = kind === 'exception';
  if (own || hidden || contrary) {
    const progress = load(world, position, 'near');
    (own ? markSent : hidden ? markHiddenOnArrival : markException)(progress, { position, low });
    store(world, progress);
  }
  world.messages.push({ own, low, contrary, hidden, deleted: false, read: own, delivered: own });
  if (low) exclude(world, position, 'low');
}

function exclude({ exclusions }: World, position: number, kind: 'low' | 'deleted'): void {
  const [number, bit] = [bitmapOf(position), bitOf(position)];
  const { low, deleted } = exclusions.get(number) ?? { low: noBits(), deleted: noBits() };
  if (kind === 'low') exclusions.set(number, { low: withBit(low, bit), deleted });
  else exclusions.set(number, { low: withoutBit(low, bit), deleted: withBit(deleted, bit) });
}

function deleteForAll(world: World, position: number): void {
  const message = world.messages[position - 1]!;
  const bits = world.bitmaps.get(bitmapOf(position));
  const isSet = (kind: keyof ProgressBitmaps) => bits !== undefined && hasBit(bits[kind], bitOf(position));
  const isDone = isSet('read') || isSet('hidden');
  const counts =
    position > Math.max(world.row.read_until, world.row.hidden_until) && contains(member, position);
  if (counts && !message.low && (isDone || isSet('contrary'))) world.row.covered_count -= 1;
  if (counts && message.low && isSet('contrary') && !isDone) world.row.covered_count += 1;
  if (message.hidden) world.row.hidden_count -= 1;
  exclude(world, position, 'deleted');
  message.deleted = true;
}

function readAll(world: World, position: number): void {
  const progress = load(world, position, 'all');
  const head = world.messages.length;
  const newlyRead = markReadUpTo(progress, position, { head, exclusions: world.exclusions });
  const expected = listUnmarked(world, position, ({ read }) => read);
  expect(positionsIn(newlyRead)).toEqual(expected);
  for (const at of expected) world.messages[at - 1]!.read = true;
  store(world, progress);
}

function deliverAll(world: World, position: number): void {
  const progress = load(world, position, 'all');
  const head = world.messages.length;
  const newlyDelivered = markDeliveredUpTo(progress, position, { head, exclusions: world.exclusions });
  const expected = listUnmarked(world, position, ({ read, delivered }) => read || delivered);
  expect(positionsIn(newlyDelivered)).toEqual(expected);
  expect(progress.changed).toBe(expected.length > 0);
  for (const at of expected) world.messages[at - 1]!.delivered = true;
  store(world, progress);
}

/** The positions, up to one, of messages that the participant sees and that are not marked. */
function listUnmarked({ messages }: World, until: number, isMarked: (message: Message) => boolean): number[] {
  return messages.flatMap((message, index) => {
    const isSeen = !message.hidden && !message.deleted && contains(member, index + 1);
    return isSeen && !isMarked(message) && index < until ? [index + 1] : [];
  });
}

function positionsIn(ranges: readonly Range[]): number[] {
  return ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

function check(world: World): void {
  const head = world.messages.length;
  const deleted_count = world.messages.filter((message) => message.deleted).length;
  const everything = createProgress(world.row, world.bitmaps, [{ first: 0, last: Infinity }]);
  const counted = world.messages.filter(
    ({ read, low, contrary, deleted, hidden }, index) =>
      !read && low === contrary && !deleted && !hidden && contains(member, index + 1),
  );
  expect(unreadCount(everything, head, world.exclusions)).toBe(counted.length);
  const seen = world.messages.filter(({ deleted, hidden }) => !deleted && !hidden);
  expect(visibleCount(everything, { head, deleted_count }, world.exclusions)).toBe(seen.length);
  const state = stateOf(world, { first: 1, last: head });
  world.messages.forEach((message, index) => {
    const position = index + 1;
    expect(isHidden(everything, position)).toBe(message.hidden);
    expect(isDeleted(world.exclusions, position)).toBe(message.deleted);
    if (!message.deleted)
      expect([position, statusOf(state, position)]).toEqual([position, naiveStatus(message, position)]);
  });
}

function stateOf(world: World, span: Range) {
  const { read_until: readUntil, delivered_until: deliveredUntil } = world.row;
  const blocks = [...world.bitmaps].map(([block, bits]) => ({ block, ...bits }));
  const status = toReceiptStatus({ readUntil, deliveredUntil, blocks }, span);
  return create(ReceiptStateSchema, { ...status, member: [{ first: 4, last: 0 }] });
}

function naiveStatus({ read, delivered }: Message, position: number) {
  if (!contains(member, position)) return undefined;
  return read ? 'read' : delivered ? 'delivered' : 'sent';
}

test('counts, statuses and hidden messages equal those of naive sets after any sequence of changes', () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 1, maxLength: 60 }), (list) => {
      const world = createWorld();
      for (const step of list) take(world, step);
      check(world);
    }),
    { numRuns: 300 },
  );
});

test('a reader who reads in order has a watermark and no bitmap', () => {
  const world = createWorld();
  for (let position = 1; position <= 600; position++) arrive(world, 'other', false);
  for (let position = 4; position <= 600; position++) {
    const progress = load(world, position, 'near');
    markRead(progress, position, { head: 600, exclusions: world.exclusions });
    store(world, progress);
  }
  expect(world.row.read_until).toBe(600);
  expect(world.bitmaps.size).toBe(0);
  expect(floorOf(load(world, 600, 'near'))).toBe(600);
});

test('messages that are read backwards move into the watermark once they are complete', () => {
  const world = createWorld();
  for (let position = 1; position <= 1000; position++) arrive(world, 'other', false);
  for (let position = 1000; position >= 4; position--) {
    const progress = load(world, position, 'near');
    markRead(progress, position, { head: 1000, exclusions: world.exclusions });
    store(world, progress);
  }
  expect(world.row.read_until).toBeGreaterThanOrEqual(511);
  expect(world.row.covered_count).toBe(1000 - world.row.read_until);
});

test('a message hidden by a block does not stop the watermark, and stays unread', () => {
  const world = createWorld();
  for (let position = 1; position <= 300; position++) {
    const isHidden = position % 3 === 0;
    arrive(world, isHidden ? 'hidden' : 'other', false);
    if (isHidden) continue;
    const progress = load(world, position, 'near');
    markRead(progress, position, { head: position, exclusions: world.exclusions });
    store(world, progress);
  }
  expect(world.row.read_until).toBe(300);
  expect(statusOf(stateOf(world, { first: 1, last: 300 }), 299)).toBe('read');
  expect(statusOf(stateOf(world, { first: 1, last: 300 }), 297)).toBe('sent');
});
