import { Code, ConnectError, createRouterTransport, type Client } from '@connectrpc/connect';
import type { Clock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { TESTED_CELLS } from '@parley/kit/testing/env';
import { createRpcChannel, type RpcChannel } from '@parley/kit/rpc/client';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { CopyService } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import { EventInterestService } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { ScheduleService } from '@parley/proto/parley/messaging/v1/schedule_service_pb';
import { PushTokenService } from '@parley/proto/parley/identity/v1/push_token_service_pb';
import { NotificationService } from '@parley/proto/parley/messaging/v1/notification_service_pb';
import { PartsService } from '@parley/proto/parley/messaging/v1/parts_service_pb';
import { ReactionService } from '@parley/proto/parley/messaging/v1/reaction_service_pb';
import { ExportSourceService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { MessagingRecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { CALL_TIMEOUT_MS, createTestDatabaseFor, testNats } from '@parley/testing';
import { randomUUID } from 'node:crypto';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { createService } from '../../src/service.ts';

export type TestMessaging = {
  /** The last cell's. */
  ctx: Context;
  contexts: readonly Context[];
  messaging: Client<typeof MessagingService>;
  schedules: Client<typeof ScheduleService>;
  copies: Client<typeof CopyService>;
  parts: Client<typeof PartsService>;
  reactions: Client<typeof ReactionService>;
  notifications: Client<typeof NotificationService>;
  changeLog: Client<typeof ChangeLogService>;
  interests: Client<typeof EventInterestService>;
  exports: Client<typeof ExportSourceService>;
  recovery: Client<typeof MessagingRecoveryService>;
  channel: Pick<RpcChannel, 'client'>;
  rpcPort: number;
  stop(): Promise<void>;
};

type Known = Pick<Identity, 'version' | 'incarnation'>;

export type TestMessagingOptions = {
  clock?: Clock;
  /** The cell of an application, where there are several. Default: the last one, whose context is `ctx`. */
  cellOf?: (appId: string) => number;
  /** How many applications identity has in each cell; it places new ones in as many. Default: none. */
  appCounts?: readonly number[];
  /** Default: the database that the test run shares. */
  natsUrl?: string;
  env?: Record<string, string>;
  /** Cached messages are stored by the direct writer; transactions run once then. Default: false. */
  isDirect?: boolean;
  /** Answers of the identity service that differ from the ones below, by user id. */
  known?: ReadonlyMap<string, Known>;
};

/**
 * The whole service with its own database, called over gRPC. Every user exists except those named `nobody…`. Users
 * named `phone…` have a device; those named `back…` were created again, with version 100; a look-up of one named
 * `lost…` finds the identity service unavailable.
 */
export async function startMessaging(options: TestMessagingOptions = {}): Promise<TestMessaging> {
  const log = createLogger({ service: 'messaging', level: 'error' });
  const secret = options.env?.['PARLEY_RPC_SECRET'] ?? randomUUID();
  const cells = options.env?.['PARLEY_CELLS'] ?? TESTED_CELLS;
  const config = readConfig({
    PARLEY_DATABASE_URL: options.env?.['PARLEY_DATABASE_URL'] ?? (await createTestDatabaseFor(cells)),
    PARLEY_NATS_URL: options.natsUrl ?? (await testNats()),
    PARLEY_RPC_SECRET: secret,
    PARLEY_IDENTITY_ADDRESS: '127.0.0.1:1',
    PARLEY_CELLS: cells,
    ...options.env,
  });
  const last = config.cells.count - 1;
  const overrides = {
    log,
    identityTransport: identities({ cellOf: () => last, ...options }),
    database: { runTransactionsTwice: options.isDirect !== true },
    ...(options.clock && { clock: options.clock }),
  };
  const service = await createService(config, overrides);
  const channel = createRpcChannel({
    address: `127.0.0.1:${service.address.rpc_port}`,
    secret,
    log,
    timeoutMs: CALL_TIMEOUT_MS,
  });
  return {
    ctx: service.context.contexts[last]!,
    contexts: service.context.contexts,
    messaging: channel.client(MessagingService),
    schedules: channel.client(ScheduleService),
    copies: channel.client(CopyService),
    parts: channel.client(PartsService),
    reactions: channel.client(ReactionService),
    notifications: channel.client(NotificationService),
    changeLog: channel.client(ChangeLogService),
    interests: channel.client(EventInterestService),
    exports: channel.client(ExportSourceService),
    recovery: channel.client(MessagingRecoveryService),
    channel,
    rpcPort: service.address.rpc_port,
    async stop() {
      channel.close();
      await service.stop();
    },
  };
}

function findable(userIds: string[]): string[] {
  if (userIds.some((userId) => userId.startsWith('lost'))) throw new ConnectError('lost', Code.Unavailable);
  return userIds;
}

type Answers = Pick<TestMessagingOptions, 'known' | 'appCounts'> & { cellOf: (appId: string) => number };

function identities({ known = new Map<string, Known>(), cellOf, appCounts = [] }: Answers) {
  return createRouterTransport(({ service }) => {
    service(PushTokenService, {
      listPushTargets: ({ userIds }) => ({
        targets: userIds
          .filter((userId) => userId.startsWith('phone'))
          .map((userId) => ({
            userId,
            tokens: [{ deviceId: 'one', type: 'apns', token: `token of ${userId}` }],
            externalUnreadCount: 5,
          })),
      }),
    });
    service(IdentityService, {
      countCellApps: () => ({ counts: [...appCounts], openCount: appCounts.length }),
      getAppCells: ({ appIds }) => ({ cells: appIds.map(cellOf) }),
      findIdentities: ({ appId, userIds }) => ({
        identities: findable(userIds)
          .filter((userId) => !userId.startsWith('nobody'))
          .map((userId) => ({
            appId,
            userId,
            type: userId.startsWith('bot') ? IdentityType.BOT : IdentityType.USER,
            displayName: userId.toUpperCase(),
            version: userId.startsWith('back') ? 100 : 1,
            ...known.get(userId),
          })),
      }),
    });
  });
}
