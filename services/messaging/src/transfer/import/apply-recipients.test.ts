import { create } from '@parley/codec';
import { MessageSchema } from '@parley/proto/parley/messaging/v1/message_pb';
import { RestoredMessage_RecipientSchema } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import fc from 'fast-check';
import { createProgress, type Progress } from '../../read-state/progress.ts';
import { countedRanges } from '../../read-state/testing/counted-ranges.ts';
import { formatRanges, type Range } from '../../read-state/ranges.ts';
import type { ParticipantRow } from '../../sql/conversation/participant.ts';
import { applyRecipients, membersOf } from './apply-recipients.ts';

const USERS = ['ann', 'bob', 'cat', 'dan'] as const;
const LEFT = new Set<string>(['cat', 'dan']);
const START: Readonly<Record<string, string>> = { ann: '{[1,)}', bob: '{[3,)}', cat: '{[1,3)}', dan: '{}' };

const message = fc.record({
  gap: fc.integer({ min: 1, max: 3 }),
  sender: fc.constantFrom(...USERS),
  recipients: fc.subarray([...USERS]),
});

function progressOf(userId: string): Progress {
  const row = {
    ...{ user_id: userId, member: START[userId]!, left_seq: LEFT.has(userId) ? 1 : null },
    ...{ read_until: 0, delivered_until: 0, hidden_until: 0, hidden_count: 0, read_count: 0 },
    ...{ left_head: null, unlisted_at: null },
  } as unknown as ParticipantRow;
  return createProgress(row, new Map(), [{ first: 0, last: Infinity }]);
}

/** Every user and every range for every message. */
function naive(
  member: readonly Range[],
  position: number,
  { isMember, hasLeft }: { isMember: boolean; hasLeft: boolean },
): Range[] {
  const holds = member.some(({ first, last }) => first <= position && position <= last);
  if (isMember) {
    if (holds) return [...member];
    const last = hasLeft ? position : Infinity;
    const end = member.at(-1);
    return end?.last === position - 1
      ? [...member.slice(0, -1), { first: end.first, last }]
      : [...member, { first: position, last }];
  }
  return member.flatMap(({ first, last }) =>
    position < first || position > last
      ? [{ first, last }]
      : [
          ...(first < position ? [{ first, last: position - 1 }] : []),
          ...(last > position ? [{ first: position + 1, last }] : []),
        ],
  );
}

test('memberships are what every message says of every user', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
      const all = new Map(USERS.map((userId) => [userId as string, progressOf(userId)]));
      const members = membersOf(all, 3);
      const expected = new Map(USERS.map((userId) => [userId as string, [...progressOf(userId).member]]));
      let position = 3;
      for (const { gap, sender, recipients } of messages) {
        position += gap;
        applyRecipients(
          members,
          create(MessageSchema, { position, sender: { userId: sender } }),
          recipients.map((userId) => create(RestoredMessage_RecipientSchema, { userId })),
          { head: position, exclusions: new Map() },
        );
        for (const [userId, ranges] of expected) {
          const hasLeft = LEFT.has(userId);
          const took = ranges.some(({ first, last }) => first <= position - 1 && position - 1 <= last);
          const isMember =
            (recipients as string[]).includes(userId) && (userId !== sender || !hasLeft || took);
          expected.set(userId, naive(ranges, position, { isMember, hasLeft }));
        }
      }
      for (const [userId, ranges] of expected)
        expect(`${userId} ${formatRanges(all.get(userId)!.member)}`).toBe(
          `${userId} ${formatRanges(ranges)}`,
        );
    }),
  );
});

test('users who left long ago cost nothing for a message that does not name them', () => {
  let looks = 0;
  const all = new Map(
    Array.from({ length: 1_000 }, (_, index) => {
      const progress = progressOf('cat');
      const { member } = progress;
      Object.defineProperty(progress, 'member', { get: () => ((looks += 1), member) });
      return [`left-${index}`, progress] as const;
    }),
  );
  const members = membersOf(all, 3);
  looks = 0;
  for (let position = 4; position < 1_000; position += 1)
    applyRecipients(members, create(MessageSchema, { position }), [], {
      head: position,
      exclusions: new Map(),
    });
  expect(looks).toBe(0);
});

test('a user who has read every other message costs each of them the same', () => {
  const MESSAGES = 4_000;
  const progress = progressOf('bob');
  const { ranges, looks } = countedRanges(progress.member);
  progress.member = ranges;
  const members = membersOf(new Map([['bob', progress]]), 3);
  const bob = create(RestoredMessage_RecipientSchema, { userId: 'bob', read: true, delivered: true });
  for (let position = 4; position < 4 + MESSAGES; position += 1)
    applyRecipients(members, create(MessageSchema, { position }), position % 2 === 0 ? [] : [bob], {
      head: position,
      exclusions: new Map(),
    });
  expect(ranges).toHaveLength(MESSAGES / 2 + 1);
  // A search looks at 11 of 2,000 ranges.
  expect(looks()).toBeLessThan(100 * MESSAGES);
});
