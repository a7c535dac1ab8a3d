import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { newId } from '@parley/domain/ids';
import { problem, problemOf } from '@parley/domain/problems';
import { runInContext } from '@parley/kit/runtime/request-context';
import { createMetrics } from '@parley/kit/runtime/telemetry/metrics';
import {
  ContentService,
  type ClaimContentsRequest,
} from '@parley/proto/parley/content/v1/content_service_pb';
import { MessagingService, type MessageDraft } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { createReplicaAffinity } from './replica-affinity.ts';
import { createMessageSender } from './message-sender.ts';

const conversationId = newId();
/** Only answers to messages with these ids carry an event. */
const eventOf = (id: string) => new Uint8Array(id.startsWith('e') ? [1, 2] : []);
const alice = { userId: 'alice', displayName: 'Alice' };

/** Messaging that answers when `release` is called and refuses messages of the sender `mallory`. */
function start() {
  const batches: MessageDraft[][] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const claims: ClaimContentsRequest[] = [];
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, {
      claimContents: (claim) => {
        claims.push(claim);
        return { sizes: claim.items.map(() => 1234) };
      },
    });
    service(IdentityService, {
      findIdentities: ({ userIds }) => ({
        identities: userIds.map((userId) => ({ userId, incarnation: 3 })),
      }),
    });
    service(MessagingService, {
      sendMessages: async ({ items, lean }) => {
        batches.push(items);
        await released;
        if (items.some(({ senderId }) => senderId === 'nobody'))
          throw new ConnectError('down', Code.Unavailable);
        return {
          results: items.map(({ id, senderId }) => ({
            outcome:
              senderId === 'mallory'
                ? { case: 'problem' as const, value: problem('access_denied') }
                : lean && senderId !== 'repeated'
                  ? {
                      case: 'stored' as const,
                      value: {
                        seq: 7,
                        membersSeq: 3,
                        position: 5,
                        sentAt: 9,
                        sender: alice,
                        event: eventOf(id),
                      },
                    }
                  : { case: 'sent' as const, value: { message: { id } } },
          })),
        };
      },
    });
  });
  const sender = createMessageSender({
    messaging: createClient(MessagingService, transport),
    content: createClient(ContentService, transport),
    identity: createClient(IdentityService, transport),
    affinity: createReplicaAffinity(() => undefined),
    metrics: createMetrics('test'),
  });
  return { sender, batches, claims, release };
}

test('messages that arrive during a call share the next one, and each has an outcome of its own', async () => {
  const { sender, batches, release } = start();
  const send = (senderId: string) => sender.send({ conversationId, senderId });
  const first = send('alice');
  await until(() => batches[0], { withinMs: 10_000, what: 'the first call is under way' });
  const all = Promise.allSettled([first, ...['bob', 'mallory', 'carol'].map(send)]);
  release();
  const outcomes = await all;
  expect(batches.map((items) => items.map(({ senderId }) => senderId))).toEqual([
    ['alice'],
    ['bob', 'mallory', 'carol'],
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  const refused = outcomes[2];
  expect(refused?.status === 'rejected' && problemOf(refused.reason)?.id).toBe('access_denied');
});

test('the event in an answer is told, with its application, before the message is answered', async () => {
  const { sender, release } = start();
  const told: unknown[] = [];
  sender.onEvent((appId, payload) => told.push([appId, [...payload]]));
  release();
  const send = (appId: string, first: string) =>
    sender.send({ appId, conversationId, senderId: 'alice', id: `${first}${newId().slice(1)}` });
  await send('one', 'e').then(() => told.push('answered'));
  await send('two', '0').then(() => told.push('answered'));
  expect(told).toEqual([['one', [1, 2]], 'answered', 'answered']);
});

test('a message is made of its draft and what a lean answer adds', async () => {
  const { sender: messages, release } = start();
  release();
  const id = newId();
  const parts = [{ id: newId(), mimeType: 'text/plain', body: 'look' }];
  const draft = { conversationId, id, parts, low: true, notification: { title: 'Alice' } };
  expect(await messages.send({ ...draft, senderId: 'alice' })).toMatchObject({
    case: 'sent',
    value: { seq: 7, membersSeq: 3, message: { ...draft, sender: alice, position: 5, sentAt: 9 } },
  });
  const whole = await messages.send({ ...draft, senderId: 'repeated' });
  expect(whole).toMatchObject({ case: 'sent', value: { message: { id, parts: [] } } });
});

test('missing ids are generated, and given ids are kept', async () => {
  const { sender, batches, release } = start();
  release();
  const id = newId();
  await sender.send({ conversationId, id });
  await sender.send({ conversationId });
  const drafts = batches.flat();
  expect(drafts[0]?.id).toBe(id);
  expect(new Set(drafts.flatMap((draft) => [draft.id, draft.requestId])).size).toBe(4);
  expect(drafts.every((draft) => draft.id !== '' && draft.requestId !== '')).toBe(true);
});

test('a message is sent even if the request of another message in its call is aborted', async () => {
  const { sender, release } = start();
  const signal = AbortSignal.abort();
  const context = { requestId: 'r1', signal, deadline: 1 };
  const sent = runInContext(context, () => sender.send({ conversationId, senderId: 'alice' }));
  release();
  expect((await sent).case).toBe('sent');
});

test('a failed call fails all of its messages', async () => {
  const { sender, release } = start();
  release();
  await expect(sender.send({ conversationId, senderId: 'nobody' })).rejects.toMatchObject({
    code: Code.Unavailable,
  });
});

test('content is claimed before its message is stored, and its size is set; text needs no call', async () => {
  const { sender, batches, claims, release } = start();
  release();
  const [contentId, id] = [newId(), newId()];
  const parts = [
    { id: newId(), mimeType: 'text/plain', body: 'look' },
    { id: newId(), mimeType: 'image/png', content: { id: contentId, size: -1 } },
  ];
  await sender.send({ conversationId, senderId: 'alice', id, parts });
  const claim = { messageId: id, items: [{ part: 1, contentId }] };
  // A server’s message belongs to the sender as they are now, a session’s to the incarnation of the session.
  expect(claims).toMatchObject([{ ...claim, senderIncarnation: 3 }]);
  expect(claims[0]?.items[0]?.size).toBeUndefined();
  expect(batches[0]?.[0]?.parts[1]?.content).toMatchObject({ id: contentId, size: 1234 });
  await sender.send({ conversationId, senderId: 'alice', parts: [parts[0]!] });
  expect(claims).toHaveLength(1);
  await sender.send({ conversationId, senderId: 'alice', senderIncarnation: 0, id, parts });
  expect(claims[1]).toMatchObject({ ...claim, senderIncarnation: 0 });
});
