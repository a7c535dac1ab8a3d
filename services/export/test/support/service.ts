import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { createRouterTransport, type Client, type ServiceImpl } from '@connectrpc/connect';
import type { BlobSettings } from '@parley/blobs/settings';
import type { BlobStore } from '@parley/blobs/store';
import { durableSubject } from '@parley/domain/events';
import { newId } from '@parley/domain/ids';
import type { Clock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { EventBatchSchema, EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { ExportService } from '@parley/proto/parley/export/v1/export_service_pb';
import { EventInterestService } from '@parley/proto/parley/messaging/v1/event_interest_service_pb';
import { ExportSourceService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { CALL_TIMEOUT_MS, createTestDatabase, testNats } from '@parley/testing';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import { createService } from '../../src/service.ts';

export type TestExports = {
  ctx: Context;
  exports: Client<typeof ExportService>;
  databaseUrl: string;
  stop(): Promise<void>;
};

export type TestExportsOptions = {
  clock: Clock;
  /** Database of another replica. */
  databaseUrl?: string;
  blobFolder?: string;
  blobs?: BlobStore;
  /** S3 settings, instead of a folder. */
  s3?: Extract<BlobSettings, { kind: 's3' }>;
  source?: Partial<ServiceImpl<typeof ExportSourceService>>;
  /** Messaging's change log; default: it is empty. */
  log?: Partial<ServiceImpl<typeof EventInterestService>>;
};

/** The whole service, called over gRPC. Messaging has no messages, unless a test provides some. */
export async function startExports(options: TestExportsOptions): Promise<TestExports> {
  const log = createLogger({ service: 'export', level: 'silent' });
  const secret = randomUUID();
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase());
  const config = readConfig({
    PARLEY_DATABASE_URL: databaseUrl,
    PARLEY_NATS_URL: await testNats(),
    PARLEY_RPC_SECRET: secret,
    PARLEY_MESSAGING_ADDRESS: '127.0.0.1:1',
    PARLEY_PUBLIC_URL: 'http://parley.test',
    PARLEY_CONTENT_URL: 'http://content.test',
    PARLEY_CONTENT_SECRET: 'the secret of download addresses',
    ...(options.s3
      ? variablesOf(options.s3)
      : { PARLEY_BLOB_FOLDER: options.blobFolder ?? (await mkdtemp(path.join(tmpdir(), 'parley-blobs-'))) }),
  });
  const sourceTransport = createRouterTransport(({ service }) => {
    service(EventInterestService, { listLoggedEvents: () => ({ isLast: true }), ...options.log });
    service(ExportSourceService, { fixCut: () => ({}), dropCut: () => ({}), ...options.source });
  });
  const { clock, blobs } = options;
  const database = { runTransactionsTwice: true };
  const overrides = { clock, log, sourceTransport, database, ...(blobs && { blobs }) };
  const service = await createService(config, overrides);
  const channel = createRpcChannel({
    address: `127.0.0.1:${service.address.rpc_port}`,
    secret,
    log,
    timeoutMs: CALL_TIMEOUT_MS,
  });
  return {
    ctx: service.context,
    exports: channel.client(ExportService),
    databaseUrl,
    async stop() {
      channel.close();
      await service.stop();
    },
  };
}

function variablesOf({
  endpoint,
  region,
  bucket,
  accessKey,
  secretKey,
}: NonNullable<TestExportsOptions['s3']>) {
  return {
    PARLEY_S3_ENDPOINT: endpoint,
    PARLEY_S3_REGION: region,
    PARLEY_S3_BUCKET: bucket,
    PARLEY_S3_ACCESS_KEY: accessKey,
    PARLEY_S3_SECRET_KEY: secretKey,
  };
}

/** Publishes events as other services do, all of the same kind in one message. */
export async function publish(
  { ctx }: TestExports,
  drafts: MessageInitShape<typeof EventSchema>[],
): Promise<Event[]> {
  const events = drafts.map((draft) => create(EventSchema, { id: newId(), ...draft }));
  for (const [subject, batch] of Map.groupBy(events, durableSubject)) {
    const payload = toBinary(EventBatchSchema, create(EventBatchSchema, { events: batch }));
    await ctx.bus.publish(subject, payload, { msgId: randomUUID() });
  }
  return events;
}
