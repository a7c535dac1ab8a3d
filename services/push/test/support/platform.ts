import { randomUUID } from 'node:crypto';
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, createRouterTransport, type Client } from '@connectrpc/connect';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { createRpcChannel } from '@parley/kit/rpc/client';
import type { RpcServer } from '@parley/kit/rpc/server';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { EventBatchSchema, EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { FigureService, type MinuteFigures } from '@parley/proto/parley/identity/v1/figure_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { NotificationService } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import { PushDeliveryStatus } from '@parley/proto/parley/push/v1/push_pb';
import { PushAdminService } from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { PushService } from '@parley/proto/parley/push/v1/push_service_pb';
import { CALL_TIMEOUT_MS, createTestDatabase, startNats, until, type TestNats } from '@parley/testing';
import { startApnsService, type ApnsService } from '@parley/testing/doubles/apns-service';
import { startFcmService, type FcmService } from '@parley/testing/doubles/fcm-service';
import { startWebPushService, type WebPushService } from '@parley/testing/doubles/web-push-service';
import { generate } from 'selfsigned';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { createService, type Service } from '../../src/service.ts';

export type Device = {
  userId: string;
  deviceId: string;
  type: string;
  token: string;
  details: { keys?: { p256dh: string; auth: string }; environment?: string; bundle_id?: string };
  updatedAt?: number;
};

/** Answers of the services that are asked before each attempt. */
export type Known = {
  devices: Device[];
  /** Ids of messages that need not be shown any more. */
  unwanted: Set<string>;
  unread: number;
  external: number;
  /** Users whom a gateway holds a socket of. */
  connected?: Set<string>;
  /** The figures that were recorded. */
  figures: MinuteFigures[];
  /** The services cannot be asked. */
  isDown: boolean;
};

export type Platform = {
  ctx: Context;
  pushes: Client<typeof PushService>;
  /** The service's clock; it stands still until it is advanced. */
  clock: TestClock;
  nats: TestNats;
  web: WebPushService;
  fcm: FcmService;
  apns: ApnsService;
  /** Apple's other environment. */
  sandbox: ApnsService;
  admin: Client<typeof PushAdminService>;
  known: Known;
  publish(...events: MessageInitShape<typeof EventSchema>[]): Promise<Event[]>;
  /** Headers of the events that are published from now on. */
  headers: Record<string, string>;
  /** Registers a browser of a user, as identity knows it then. */
  subscribe(appId: string, userId: string): Promise<Device>;
  /** Resolves when the deliveries of the application have these statuses and reasons, in their order. */
  settled(appId: string, ...expected: string[]): Promise<DeliveryRow[]>;
  /** Waits as `settled` does while the clock goes on, for deliveries that are tried again: an attempt under way may end later than a test expects. */
  settledAsTimePasses(appId: string, ...expected: string[]): Promise<DeliveryRow[]>;
  stop(): Promise<void>;
};

export type DeliveryRow = {
  id: string;
  user_id: string;
  status: number;
  attempts: number;
  reason: string | null;
  due_at: number;
  content: Uint8Array | null;
};

const log = createLogger({ service: 'push', level: 'silent' });

const TIME_STEP_MS = 3_000;

/** The service in this process, on a database and a NATS server of its own, with a push service for browsers. */
export async function startPushes(env: Record<string, string> = {}): Promise<Platform> {
  const tls = await certificate();
  const web = await startWebPushService(tls);
  const fcm = await startFcmService(tls);
  const apns = await startApnsService(tls);
  const sandbox = await startApnsService(tls, apns);
  const nats = await startNats();
  const clock = createTestClock(Date.now());
  const known: Known = {
    devices: [],
    unwanted: new Set(),
    unread: 2,
    external: 5,
    figures: [],
    isDown: false,
  };
  const secret = randomUUID();
  const headers: Record<string, string> = {};
  const providers = {
    PARLEY_PUSH_FCM_URL: fcm.origin,
    PARLEY_PUSH_GOOGLE_TOKEN_URL: fcm.tokenUrl,
    PARLEY_PUSH_APNS_URL: apns.origin,
    PARLEY_PUSH_APNS_SANDBOX_URL: sandbox.origin,
  };
  const config = readConfig({ ...(await settingsOf(nats, secret)), ...providers, ...env });
  const transport = createRouterTransport((router) =>
    addNeighbours((type, impl) => void router.service(type, impl), known),
  );
  const service = await createService(config, {
    ...{ log, clock, ca: tls.cert, database: { runTransactionsTwice: true } },
    ...{ identityTransport: transport, messagingTransport: transport },
  });
  const address = `127.0.0.1:${service.address.rpc_port}`;
  const channel = createRpcChannel({ address, secret, log, timeoutMs: CALL_TIMEOUT_MS });
  const pushes = channel.client(PushService);
  const admin = channel.client(PushAdminService);
  return {
    ...{ ctx: service.context, pushes, clock, nats, web, fcm, apns, sandbox, admin, known },
    headers,
    publish: (...drafts) => publish(service, { clock, headers }, drafts),
    async subscribe(appId, userId) {
      const { publicKey } = await pushes.getPushKey({ appId });
      const { endpoint: token, keys } = web.subscribe(publicKey);
      const device = { userId, deviceId: randomUUID(), type: 'web', token, details: { keys } };
      known.devices.push(device);
      return device;
    },
    settled: (appId, ...expected) => settled(service, appId, expected),
    settledAsTimePasses: (appId, ...expected) => settled(service, appId, expected, clock),
    async stop() {
      channel.close();
      await service.stop();
      await web.stop();
      await fcm.stop();
      await apns.stop();
      await sandbox.stop();
      await nats.stop();
    },
  };
}

/** Settings of a process on a new database. */
export async function settingsOf(nats: TestNats, secret: string): Promise<Record<string, string>> {
  return {
    PARLEY_DATABASE_URL: await createTestDatabase(),
    PARLEY_NATS_URL: nats.url,
    PARLEY_RPC_SECRET: secret,
    PARLEY_IDENTITY_ADDRESS: '127.0.0.1:1',
    PARLEY_MESSAGING_ADDRESS: '127.0.0.1:1',
    PARLEY_PUSH_ENCRYPTION_KEY: 'an encryption key for tests',
    PARLEY_PUSH_CONTACT: 'mailto:operator@chat.example',
    PARLEY_PUSH_WEB_HOSTS: 'localhost,*.push.example',
    PARLEY_PUSH_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
  };
}

export async function certificate(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  return { key, cert };
}

/** Identity and messaging, as far as they are asked. */
export function addNeighbours(service: RpcServer['service'], known: Known): void {
  const answer = <T>(value: T): T => {
    if (known.isDown) throw new ConnectError('down', Code.Unavailable);
    return value;
  };
  service(FigureService, {
    recordFigures({ minutes }) {
      known.figures.push(...minutes);
      return {};
    },
  });
  service(PushTokenService, {
    listPushTargets: ({ userIds }) =>
      answer({
        targets: userIds.flatMap((userId) => {
          const tokens = known.devices.filter((device) => device.userId === userId);
          return tokens.length > 0
            ? [
                {
                  userId,
                  tokens,
                  externalUnreadCount: known.external,
                  incarnation: 3,
                  connected: known.connected?.has(userId) ?? false,
                },
              ]
            : [];
        }),
      }),
    deletePushToken({ deviceId, token }) {
      known.devices = known.devices.filter((one) => one.deviceId !== deviceId || one.token !== token);
      return answer({});
    },
  });
  service(NotificationService, {
    checkPushes: ({ items }) =>
      answer({
        results: items.map(({ messageId }) => ({
          isWanted: !known.unwanted.has(messageId),
          unreadMessageCount: known.unread,
        })),
      }),
  });
}

async function publish(
  { context }: Service,
  { clock, headers }: { clock: TestClock; headers: Record<string, string> },
  drafts: readonly MessageInitShape<typeof EventSchema>[],
): Promise<Event[]> {
  const events = drafts.map((draft) =>
    create(EventSchema, { id: newId(), createdAt: clock.now(), ...draft }),
  );
  for (const event of events) {
    const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: [event] }));
    await context.bus.publish(durableSubject(event), payload, { msgId: randomUUID(), headers });
  }
  return events;
}

async function settled(
  { context }: Service,
  appId: string,
  expected: string[],
  passing?: TestClock,
): Promise<DeliveryRow[]> {
  const query = { text: 'select * from delivery where app_id = $1 order by id', values: [appId] };
  return until(
    async () => {
      passing?.advance(TIME_STEP_MS);
      const rows = await context.db.query<DeliveryRow>(query);
      const found = rows.map(({ status, reason }) =>
        [PushDeliveryStatus[status], reason].filter((word) => word).join(': '),
      );
      if (found.join() !== expected.join()) throw new Error(`they are ${found.join()}`);
      return rows;
    },
    { withinMs: 15_000, what: `deliveries are ${expected.join()}` },
  );
}
