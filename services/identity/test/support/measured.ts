import { CALL_TIMEOUT_MS } from '@parley/testing';
import { createClient, type Client } from '@connectrpc/connect';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { createDatabase } from '@parley/kit/postgres';
import { createStopper } from '@parley/kit/runtime/process';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { createRpcServer } from '@parley/kit/rpc/server';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { PresenceService } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { createFollowing } from '../../src/relation/following-lists.ts';
import { mountRpc } from '../../src/rpc/index.ts';
import type { Platform } from './platform.ts';

export type Measured = {
  identity: Client<typeof IdentityService>;
  relations: Client<typeof RelationService>;
  presence: Client<typeof PresenceService>;
  /** The cost of these clients' calls so far, without the service's timers and consumers. */
  readonly statements: number;
  stop(): Promise<void>;
};

/** Mounts the service's calls again, on connections that nothing else uses. */
export async function startMeasured({ service: { context } }: Platform): Promise<Measured> {
  const log = createLogger({ service: 'test', level: 'silent' });
  const { databaseUrl: url, rpcSecret: secret } = context.config;
  const stopper = createStopper();
  const db = createDatabase({ url, poolSize: 4, log, applicationName: 'measured' });
  stopper.add('database', () => db.close());
  const server = createRpcServer({ log, secret });
  mountRpc(server, { ...context, db, following: createFollowing({ db, epochs: context.epochs }) });
  const port = await server.listen(0, '127.0.0.1');
  stopper.add('server', () => server.stop(1_000));
  const { transport, close } = createRpcChannel({
    address: `127.0.0.1:${port}`,
    secret,
    log,
    timeoutMs: CALL_TIMEOUT_MS,
  });
  stopper.add('channel', close);
  return {
    identity: createClient(IdentityService, transport),
    relations: createClient(RelationService, transport),
    presence: createClient(PresenceService, transport),
    get statements() {
      return db.statements;
    },
    stop: () => stopper.stop(),
  };
}
