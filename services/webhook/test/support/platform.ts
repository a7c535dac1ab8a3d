import { randomUUID } from 'node:crypto';
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { createRouterTransport, type Client, type Transport } from '@connectrpc/connect';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { EventBatchSchema, EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { WebhookService } from '@parley/proto/parley/webhook/v1/webhook_service_pb';
import { CALL_TIMEOUT_MS, createTestDatabase, startNats, type TestNats } from '@parley/testing';
import { readConfig } from '../../src/config.ts';
import type { Context, Overrides } from '../../src/context.ts';
import { createService, type Service } from '../../src/service.ts';

export type Platform = {
  ctx: Context;
  webhooks: Client<typeof WebhookService>;
  /** The service's clock; it stands still until it is advanced. */
  clock: TestClock;
  nats: TestNats;
  service: Service;
  publish(...events: MessageInitShape<typeof EventSchema>[]): Promise<Event[]>;
  /** Headers of the events that are published from now on. */
  headers: Record<string, string>;
  /** Starts another process of the same service, on the same database. */
  startReplica(): Promise<Service>;
  stop(): Promise<void>;
};

export type PlatformOptions = { env?: Record<string, string>; overrides?: Overrides; nats?: TestNats };

const log = createLogger({ service: 'webhook', level: 'silent' });

/** The service in this process with a database and a NATS server of its own, called over gRPC. */
export async function startWebhooks(options: PlatformOptions = {}): Promise<Platform> {
  const nats = options.nats ?? (await startNats());
  const clock = createTestClock(Date.now());
  const secret = randomUUID();
  const config = readConfig({
    PARLEY_DATABASE_URL: await createTestDatabase(),
    PARLEY_NATS_URL: nats.url,
    PARLEY_RPC_SECRET: secret,
    PARLEY_MESSAGING_ADDRESS: '127.0.0.1:1',
    PARLEY_PUBLIC_URL: 'https://chat.example',
    PARLEY_CONTENT_URL: 'https://content.example',
    PARLEY_CONTENT_SECRET: 'a secret of the content service',
    PARLEY_WEBHOOK_ENCRYPTION_KEY: 'an encryption key for tests',
    PARLEY_WEBHOOK_ALLOW_HTTP: 'true',
    PARLEY_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    ...options.env,
  });
  const database = { runTransactionsTwice: true };
  const overrides = { log, clock, database, messagingTransport: messaging(), ...options.overrides };
  const service = await createService(config, overrides);
  const address = `127.0.0.1:${service.address.rpc_port}`;
  const channel = createRpcChannel({ address, secret, log, timeoutMs: CALL_TIMEOUT_MS });
  const { bus } = service.context;
  const headers: Record<string, string> = {};
  return {
    ctx: service.context,
    webhooks: channel.client(WebhookService),
    ...{ clock, nats, service, headers },
    async publish(...drafts) {
      const events = drafts.map((draft) =>
        create(EventSchema, { id: newId(), createdAt: clock.now(), membersSeq: 1, seq: 1, ...draft }),
      );
      for (const event of events) {
        const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
        await bus.publish(durableSubject(event), payload, { msgId: randomUUID(), headers });
      }
      return events;
    },
    startReplica: () => createService(config, overrides),
    async stop() {
      channel.close();
      await service.stop();
      if (!options.nats) await nats.stop();
    },
  };
}

/** A conversation in which ada and bob take part; everything up to a position is read by bob. */
export function messaging(readUntil = 0): Transport {
  const member = (userId: string) => ({ identity: { userId }, joinedSeq: 1, leftSeq: 0 });
  const state = (userId: string, until: number) => ({
    ...{ userId, member: [{ first: 1, last: 0 }], readUntil: until, deliveredUntil: until },
  });
  return createRouterTransport(({ service }) => {
    service(MessagingService, {
      getAudiences: ({ items }) => ({
        audiences: items.map(({ appId, conversationId }) => ({
          ...{ appId, conversationId, seq: 1, membersSeq: 1 },
          members: ['ada', 'bob'].map(member),
        })),
      }),
      getReceipts: ({ conversationId }) => ({
        receipts: { conversationId, states: [state('ada', 0), state('bob', readUntil)] },
      }),
      listMessageIds: ({ positions, pageSize }) => ({
        items: positions
          .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
          .slice(0, pageSize)
          .map((position) => ({ position, id: messageIdAt(position) })),
      }),
    });
  });
}

/** The id of the message at a position of any conversation. */
export function messageIdAt(position: number): string {
  return `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`;
}
