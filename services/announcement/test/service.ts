import { createRouterTransport, type Client } from '@connectrpc/connect';
import { fromBinary } from '@bufbuild/protobuf';
import { createLogger } from '@parley/kit/log';
import { createRpcChannel } from '@parley/kit/rpc-client';
import { AnnouncementService } from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventBatchSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { createTestDatabase, testNats } from '@parley/stack/testing';
import { readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { createService } from '../src/service.ts';

export type TestAnnouncement = {
  ctx: Context;
  announcement: Client<typeof AnnouncementService>;
  changeLog: Client<typeof ChangeLogService>;
  /** Stops it, and starts it again on the same database. */
  restart(): Promise<TestAnnouncement>;
  stop(): Promise<void>;
};

const SILENT_LOG = createLogger({ service: 'test', level: 'silent' });
const RPC_SECRET = 'a secret of these tests';

/** The service in this process, called over gRPC. Every user exists but those called `nobody…`. */
export async function startAnnouncement(databaseUrl?: string, natsUrl?: string): Promise<TestAnnouncement> {
  const url = databaseUrl ?? (await createTestDatabase());
  const config = readConfig({
    PARLEY_DATABASE_URL: url,
    PARLEY_NATS_URL: natsUrl ?? (await testNats()),
    PARLEY_RPC_SECRET: RPC_SECRET,
    PARLEY_IDENTITY_ADDRESS: '127.0.0.1:1',
    PARLEY_LIVE_SHARDS: '4',
  });
  const service = await createService(config, {
    ...{ log: SILENT_LOG, identityTransport: identities(), database: { runTransactionsTwice: true } },
  });
  const address = `127.0.0.1:${service.address.rpc_port}`;
  const channel = createRpcChannel({ address, secret: RPC_SECRET, log: SILENT_LOG });
  const stop = async (): Promise<void> => {
    channel.close();
    await service.stop();
  };
  return {
    ctx: service.context,
    announcement: channel.client(AnnouncementService),
    changeLog: channel.client(ChangeLogService),
    stop,
    async restart() {
      await stop();
      return startAnnouncement(url, natsUrl);
    },
  };
}

/** Users who were erased and came back, and their incarnations. */
export const incarnations = new Map<string, number>();

function identities() {
  return createRouterTransport(({ service }) => {
    service(IdentityService, {
      findUnknownUsers: ({ userIds }) => ({
        userIds: userIds.filter((id) => id.startsWith('nobody')),
        returned: userIds
          .filter((id) => incarnations.has(id))
          .map((userId) => ({ userId, incarnation: incarnations.get(userId)! })),
      }),
      findIdentities: ({ appId, userIds }) => ({
        identities: userIds.map((userId) => ({ appId, userId, displayName: `Name of ${userId}` })),
      }),
    });
  });
}

/** Collects what the app's sockets are told, from now on. */
export async function listenLive({ bus }: Context, appId: string): Promise<Event[]> {
  const events: Event[] = [];
  bus.subscribeLive(
    `live.${appId}.*.event`,
    (payload) => void events.push(...fromBinary(EventBatchSchema, payload).events),
  );
  await bus.flush();
  return events;
}
