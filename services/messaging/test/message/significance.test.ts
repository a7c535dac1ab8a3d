import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import fc from 'fast-check';
import { createRoom, receipt, send, unreadCount } from '../support/actions.ts';
import { startMessaging, type TestMessaging } from '../support/service.ts';

let service: TestMessaging;

beforeAll(async () => {
  service = await startMessaging();
});
afterAll(() => service.stop());

const users = ['bob', 'cem'];
const steps = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      low: fc.boolean(),
      contrary: fc.subarray(['ada', ...users, 'stranger']),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('read' as const, 'hide' as const, 'delete' as const, 'read all' as const),
      user: fc.constantFrom(...users),
      at: fc.nat(50),
    }),
  },
);

type Sent = { id: string; position: number; countsFor: Set<string>; gone: Set<string> };

test("unread counts follow each user's significance after every change of the messages", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 20 }), async (list) => {
      const room = await createRoom(service, ['ada', ...users]);
      const sent: Sent[] = [];
      for (const step of list) {
        if (step.kind === 'send') {
          const { low, contrary } = step;
          const { id, position } = await send(service, room, 'ada', { low, contraryUserIds: contrary });
          const countsFor = new Set(users.filter((user) => contrary.includes(user) === low));
          sent.push({ id, position, countsFor, gone: new Set() });
        } else {
          const message = sent[step.at % sent.length];
          if (message) await touch(message, sent, { ...step, room });
        }
      }
      for (const user of users) {
        const expected = sent.filter(({ countsFor, gone }) => countsFor.has(user) && !gone.has(user)).length;
        expect([user, await unreadCount(service, room, user)]).toEqual([user, expected]);
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);

type Touch = {
  kind: 'read' | 'hide' | 'delete' | 'read all';
  user: string;
  room: { appId: string; conversationId: string };
};

async function touch(
  { id, position, gone }: Sent,
  sent: readonly Sent[],
  { kind, user, room }: Touch,
): Promise<void> {
  const { messaging } = service;
  const { appId } = room;
  const ignoreMissing = () => undefined;
  if (kind === 'read') {
    await receipt(service, { appId, userId: user, messageId: id });
    gone.add(user);
  } else if (kind === 'hide') {
    await messaging
      .deleteMessage({ appId, id, userId: user, mode: DeletionMode.MY_DEVICES })
      .catch(ignoreMissing);
    gone.add(user);
  } else if (kind === 'delete') {
    await messaging.deleteMessage({ appId, id }).catch(ignoreMissing);
    for (const each of users) gone.add(each);
  } else {
    await messaging.markAllRead({ ...room, userId: user, position });
    for (const each of sent) if (each.position <= position) each.gone.add(user);
  }
}
