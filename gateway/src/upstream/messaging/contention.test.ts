import { create } from '@bufbuild/protobuf';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { newId } from '@parley/domain/ids';
import { problem } from '@parley/domain/problems';
import { createMetrics } from '@parley/kit/runtime/telemetry/metrics';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { ContendedSchema, MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { until } from '@parley/testing';
import { createReplicaAffinity } from './replica-affinity.ts';
import { createMessageSender } from './message-sender.ts';

const [held, quiet] = [newId(), newId()];

/** Messaging in which one conversation is locked until `release` is called, which also answers waiting calls. */
function start({ isOld = false } = {}) {
  const calls: { senders: string; waits: boolean }[] = [];
  const stored: string[] = [];
  let isHeld = true;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, {});
    service(MessagingService, {
      sendMessages: async ({ items, waitMs }) => {
        calls.push({ senders: items.map(({ senderId }) => senderId).join(' '), waits: waitMs !== 0 });
        if (waitMs !== 0 && isHeld) await released;
        return {
          results: items.map(({ id, senderId, conversationId }) => {
            if (conversationId === held && isHeld) {
              const busy = { case: 'problem' as const, value: problem('service_unavailable') };
              const contended = { case: 'contended' as const, value: create(ContendedSchema) };
              return { outcome: isOld ? busy : contended };
            }
            stored.push(senderId);
            return { outcome: { case: 'sent' as const, value: { message: { id } } } };
          }),
        };
      },
    });
  });
  const sends = createMessageSender({
    messaging: createClient(MessagingService, transport),
    content: createClient(ContentService, transport),
    identity: createClient(IdentityService, transport),
    affinity: createReplicaAffinity(() => undefined),
    metrics: createMetrics('test'),
  });
  const send = (conversationId: string, senderId: string) =>
    sends.send({ appId: 'app', conversationId, senderId });
  const end = (): void => {
    isHeld = false;
    release();
  };
  return { send, stored, calls, release: end };
}

test('while a conversation is contended, messages of other conversations are answered and its own keep their order', async () => {
  const { send, stored, calls, release } = start();
  const waiting = [send(held, 'h1'), send(held, 'h2')];
  await send(quiet, 'q1');
  await until(() => calls.find(({ waits }) => waits), { withinMs: 10_000, what: 'a call that waits' });
  waiting.push(send(held, 'h3'));
  await send(quiet, 'q2');
  expect(stored).toEqual(['q1', 'q2']);
  release();
  await Promise.all(waiting);
  expect(stored).toEqual(['q1', 'q2', 'h1', 'h2', 'h3']);
  expect(calls.filter(({ waits }) => waits)).toEqual([{ senders: 'h1 h2', waits: true }]);
});

test('with a messaging service of an older release, which does not answer `contended`, only the message fails', async () => {
  const { send } = start({ isOld: true });
  const [refused, sent] = await Promise.allSettled([send(held, 'h1'), send(quiet, 'q1')]);
  expect([refused.status, sent.status]).toEqual(['rejected', 'fulfilled']);
});
