import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { createRouterTransport, type Client } from '@connectrpc/connect';
import type { BlobSettings } from '@parley/blobs/settings';
import { failNotFound } from '@parley/domain/problems';
import { connectBus, type Bus } from '@parley/kit/bus';
import { createTestClock, type TestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createDatabase, type Database } from '@parley/kit/postgres';
import { createStopper } from '@parley/kit/runtime/process';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { ContentRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { GetMessageResponseSchema } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { CALL_TIMEOUT_MS, createTestDatabase, freePort, testNats } from '@parley/testing';
import type { Config } from '../../src/config.ts';
import { createService, type Service } from '../../src/service.ts';
import { collectContent } from '../../src/timers/collect-content.ts';
import { eraseUsers } from '../../src/timers/erase-users.ts';
import { forgetContent } from '../../src/timers/forget-content.ts';
import { purgeBlobs } from '../../src/timers/purge-blobs.ts';
import { createConversationReleases } from '../../src/timers/release-conversations.ts';
import { createAppContentRemovals } from '../../src/timers/remove-apps.ts';
import { settleUsages } from '../../src/timers/settle-usage.ts';
import { verifyClaims } from '../../src/timers/verify-claims.ts';

export type Platform = {
  service: Service;
  content: Client<typeof ContentService>;
  recovery: Client<typeof ContentRecoveryService>;
  /** The service's clock; it stands still until it is advanced. */
  clock: TestClock;
  db: Database;
  bus: Bus;
  /** Folder of the folder driver. */
  folder: string;
  config: Config;
  /** The messages that messaging has, by id. */
  messages: Map<string, MessageInitShape<typeof GetMessageResponseSchema>>;
  /** Ids of the scheduled messages that messaging has. */
  waiting: Set<string>;
  /** Runs timers at once. */
  jobs: Record<
    'collect' | 'verify' | 'purge' | 'settle' | 'forget' | 'erase' | 'removeApps' | 'release',
    () => Promise<void>
  >;
  /** Starts another process of the same service: same database, same store, an address of its own. */
  addReplica(): Promise<Service>;
  stop(): Promise<void>;
};

const silent = createLogger({ service: 'test', level: process.env.PARLEY_TEST_LOG ? 'warn' : 'silent' });

/** The service in this process, on a database of its own, called over the wire. */
export async function startContent(settings: Partial<Config> = {}): Promise<Platform> {
  const stopper = createStopper();
  const root = await mkdtemp(path.join(tmpdir(), 'parley-content-'));
  stopper.add('folder', () => rm(root, { recursive: true, force: true }));
  const folder = path.join(root, 'blobs');
  const config = await testConfig(folder, settings);
  const clock = createTestClock(Date.now());
  const messages: Platform['messages'] = new Map();
  const waiting: Platform['waiting'] = new Set();
  const overrides = {
    ...{ clock, log: silent, messagingTransport: knownMessages(messages, waiting) },
    database: { runTransactionsTwice: true },
  };
  const start = async (over: Partial<Config> = {}) => {
    const service = await createService({ ...config, ...over }, overrides);
    stopper.add('service', () => service.stop());
    return service;
  };
  const service = await start();
  const address = `127.0.0.1:${service.address.rpc_port}`;
  const channel = createRpcChannel({
    address,
    secret: config.rpcSecret,
    log: silent,
    timeoutMs: CALL_TIMEOUT_MS,
  });
  stopper.add('channel', () => channel.close());
  const db = createDatabase({ url: config.databaseUrl, poolSize: 5, log: silent, applicationName: 'test' });
  stopper.add('database', () => db.close());
  const bus = await connectBus({ url: config.natsUrl, name: 'test', log: silent });
  stopper.add('bus', () => bus.close());
  return {
    ...{ service, clock, db, bus, folder, config, messages, waiting },
    jobs: {
      collect: () => collectContent(service.context),
      verify: () => verifyClaims(service.context),
      purge: () => purgeBlobs(service.context),
      settle: () => settleUsages(service.context),
      forget: () => forgetContent(service.context),
      erase: () => eraseUsers(service.context).run(),
      removeApps: () => createAppContentRemovals(service.context).run(),
      release: () => createConversationReleases(service.context).run(),
    },
    content: channel.client(ContentService),
    recovery: channel.client(ContentRecoveryService),
    addReplica: () => start({ httpPort: 0 }),
    stop: () => stopper.stop(),
  };
}

/** The part of messaging that this service calls: which messages exist. */
function knownMessages(messages: Platform['messages'], waiting: Platform['waiting']) {
  return createRouterTransport(({ service }) => {
    service(ScheduleService, {
      getScheduledMessage: ({ id }) => (waiting.has(id) ? {} : failNotFound('scheduled_message', id)),
    });
    service(MessagingService, { getMessage: ({ id }) => messages.get(id) ?? failNotFound('message', id) });
  });
}

async function testConfig(folder: string, settings: Partial<Config>): Promise<Config> {
  const httpPort = await freePort();
  const contentUrl = `http://127.0.0.1:${httpPort}`;
  const contentSecret = 'a content secret of these tests';
  const blobs: BlobSettings = {
    kind: 'folder',
    root: folder,
    url: `${contentUrl}/blobs`,
    secret: contentSecret,
    durable: false,
  };
  return {
    ...{ rpcPort: 0, httpPort, metricsPort: -1, internalHost: undefined, contentUrl, contentSecret, blobs },
    databaseUrl: await createTestDatabase(),
    poolSize: 10,
    natsUrl: await testNats(),
    natsUser: undefined,
    natsPassword: undefined,
    tlsFolder: undefined,
    natsTlsFolder: undefined,
    rpcSecret: 'a secret of these tests',
    acceptedRpcSecrets: [],
    acceptedContentSecrets: [],
    messagingAddress: '127.0.0.1:1',
    publicUrl: 'http://gateway.test',
    wireName: 'svc',
    maxContentBytes: 2 * 1024 ** 3,
    maxUploadsPerUser: 8,
    maxTransfers: 64,
    maxUnreferencedBytesPerUser: 4 * 1024 ** 3,
    maxUnreferencedBytesPerApp: 100 * 1024 ** 3,
    rateLimitFactor: 1,
    uploadTokenRate: { perSecond: 20, burst: 100 },
    trustedProxies: 0,
    streamDownloads: false,
    streamReplicas: 1,
    streamMaxBytes: 64 * 1024 * 1024,
    logLevel: 'silent',
    otlpEndpoint: undefined,
    ...settings,
  };
}
