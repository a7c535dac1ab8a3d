import { createRouterTransport, type Client } from '@connectrpc/connect';
import type { Clock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { AnnouncementService } from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { CALL_TIMEOUT_MS, createTestDatabase, testNats } from '@parley/testing';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { createService } from '../../src/service.ts';

export type TestAnnouncement = {
  ctx: Context;
  announcement: Client<typeof AnnouncementService>;
  changeLog: Client<typeof ChangeLogService>;
  /** Stops the service and starts it again on the same database. */
  restart(): Promise<TestAnnouncement>;
  stop(): Promise<void>;
};

export type TestOptions = {
  /** Default: a new database. */
  databaseUrl?: string;
  /** Default: the server that the test run shares. */
  natsUrl?: string;
  clock?: Clock;
};

const SILENT_LOG = createLogger({ service: 'test', level: 'silent' });
const RPC_SECRET = 'a secret of these tests';

/** The service in this process, called over gRPC. Every user exists except those called `nobody…`. */
export async function startAnnouncement(options: TestOptions = {}): Promise<TestAnnouncement> {
  const { natsUrl, clock } = options;
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase());
  const config = readConfig({
    PARLEY_DATABASE_URL: databaseUrl,
    PARLEY_NATS_URL: natsUrl ?? (await testNats()),
    PARLEY_RPC_SECRET: RPC_SECRET,
    PARLEY_IDENTITY_ADDRESS: '127.0.0.1:1',
    PARLEY_LIVE_SHARDS: '4',
  });
  const service = await createService(config, {
    log: SILENT_LOG,
    identityTransport: identityTransport(),
    database: { runTransactionsTwice: true },
    ...(clock && { clock }),
  });
  const address = `127.0.0.1:${service.address.rpc_port}`;
  const channel = createRpcChannel({
    address,
    secret: RPC_SECRET,
    log: SILENT_LOG,
    timeoutMs: CALL_TIMEOUT_MS,
  });
  async function stop(): Promise<void> {
    channel.close();
    await service.stop();
  }
  return {
    ctx: service.context,
    announcement: channel.client(AnnouncementService),
    changeLog: channel.client(ChangeLogService),
    stop,
    async restart() {
      await stop();
      return startAnnouncement({ ...options, databaseUrl });
    },
  };
}

/** Incarnations of users who were erased and came back, by user id. */
export const incarnations = new Map<string, number>();

/** Display names, by user id; default: `Name of <user id>`. */
export const displayNames = new Map<string, string>();

function identityTransport() {
  return createRouterTransport(({ service }) => {
    service(IdentityService, {
      findUnknownUsers: ({ userIds }) => ({
        userIds: userIds.filter((id) => id.startsWith('nobody')),
        returned: userIds.flatMap((userId) => {
          const incarnation = incarnations.get(userId);
          return incarnation === undefined ? [] : [{ userId, incarnation }];
        }),
      }),
      findIdentities: ({ appId, userIds }) => ({
        identities: userIds.map((userId) => {
          return { appId, userId, displayName: displayNames.get(userId) ?? `Name of ${userId}` };
        }),
      }),
    });
  });
}
