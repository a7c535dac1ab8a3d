import { fromBinary } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { connectBus, type Bus } from '@parley/kit/bus';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { ONE_CELL } from '@parley/kit/runtime/config/cell-plan';
import { createDatabase, type Database } from '@parley/kit/postgres';
import { createStopper } from '@parley/kit/runtime/process';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { OperationService } from '@parley/proto/parley/identity/v1/operation_service_pb';
import { IdentityRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { PresenceService } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { CALL_TIMEOUT_MS, createTestDatabase, testNats, until } from '@parley/testing';
import type { Config } from '../../src/config.ts';
import { createService, type Service } from '../../src/service.ts';

export type Platform = {
  service: Service;
  identity: Client<typeof IdentityService>;
  relations: Client<typeof RelationService>;
  presences: Client<typeof PresenceService>;
  admin: Client<typeof AdminService>;
  console: Client<typeof ConsoleService>;
  recovery: Client<typeof IdentityRecoveryService>;
  operations: Client<typeof OperationService>;
  pushTokens: Client<typeof PushTokenService>;
  changeLog: Client<typeof ChangeLogService>;
  /** The service's clock, which stands still until a test advances it. */
  clock: TestClock;
  /** The service's database, for state that no call answers. */
  db: Database;
  bus: Bus;
  stop(): Promise<void>;
};

/** The settings of a service that keeps no journal. */
export const NO_JOURNAL: Config['journal'] = {
  endpoint: undefined,
  region: 'us-east-1',
  tlsFolder: undefined,
  accessKey: undefined,
  secretKey: undefined,
  bucket: undefined,
  folder: undefined,
  days: 60,
};

const silent = createLogger({ service: 'test', level: 'silent' });

/** The service in this process, on a database of its own, called over gRPC. */
export async function startIdentity(settings: Partial<Config> = {}): Promise<Platform> {
  const stopper = createStopper();
  const config = await testConfig(settings);
  const clock = createTestClock(Date.now());
  const service = await createService(config, {
    clock,
    log: silent,
    database: { runTransactionsTwice: true },
  });
  stopper.add('service', () => service.stop());
  const channel = createRpcChannel({
    address: `127.0.0.1:${service.address.rpc_port}`,
    secret: config.rpcSecret,
    log: silent,
    timeoutMs: CALL_TIMEOUT_MS,
  });
  stopper.add('channel', () => channel.close());
  const db = createDatabase({ url: config.databaseUrl, poolSize: 25, log: silent, applicationName: 'test' });
  stopper.add('database', () => db.close());
  const bus = await connectBus({ url: config.natsUrl, name: 'test', log: silent });
  stopper.add('bus', () => bus.close());
  const clients = {
    identity: channel.client(IdentityService),
    relations: channel.client(RelationService),
    presences: channel.client(PresenceService),
    admin: channel.client(AdminService),
    console: channel.client(ConsoleService),
    recovery: channel.client(IdentityRecoveryService),
    operations: channel.client(OperationService),
    pushTokens: channel.client(PushTokenService),
    changeLog: channel.client(ChangeLogService),
  };
  return { service, ...clients, clock, db, bus, stop: () => stopper.stop() };
}

async function testConfig(settings: Partial<Config>): Promise<Config> {
  return {
    rpcPort: 0,
    metricsPort: -1,
    internalHost: undefined,
    databaseUrl: await createTestDatabase(),
    poolSize: 25,
    natsUrl: await testNats(),
    natsUser: undefined,
    natsPassword: undefined,
    tlsFolder: undefined,
    natsTlsFolder: undefined,
    rpcSecret: 'a secret of these tests',
    nonceSecret: 'another secret of these tests',
    acceptedRpcSecrets: [],
    acceptedNonceSecrets: [],
    wireName: 'svc',
    liveShards: 4,
    cells: ONE_CELL,
    journal: NO_JOURNAL,
    auditDays: 36_500,
    maxBlocksPerUser: 5_000,
    pushWebHosts: ['fcm.googleapis.com', '*.push.services.mozilla.com'],
    maxPushTokensPerUser: 100,
    maxKeyBytesPerApp: 8_589_934_592,
    streamReplicas: 1,
    streamMaxBytes: 64 * 1024 * 1024,
    logLevel: 'silent',
    otlpEndpoint: undefined,
    ...settings,
  };
}

/** Collects an application's events from now on. `wait` resolves with them once there are that many. */
export async function listenToEvents(bus: Bus, appId: string) {
  const events: Event[] = [];
  const take = (payload: Uint8Array): void =>
    void events.push(...fromBinary(EventBatchSchema, payload).events);
  const subscription = bus.subscribeLive(`event.${appId}.>`, take);
  await bus.flush();
  return {
    events,
    async wait(count: number): Promise<Event[]> {
      await until(() => events.length >= count || undefined, {
        withinMs: 10_000,
        what: `${count} events come`,
      });
      return events;
    },
    close: () => subscription.close(),
  };
}
