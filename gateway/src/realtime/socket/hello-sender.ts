import { helloJson, type ClientLimitsJson } from '@parley/domain/json/hello';
import { addressTemplates } from '@parley/domain/json/view';
import { createBatcher } from '@parley/kit/flow/batch';
import { callInHalves } from '@parley/kit/rpc/byte-budget';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import type { SessionCaller } from '../../admission/auth/index.ts';
import type { Connection } from '../connection/connection.ts';
import { frameBody } from '../connection/frame.ts';
import { PING_EVERY_MS } from '../connection/keep-alive.ts';
import type { Uses } from '../context.ts';
import { clientView } from '../../admission/client-view.ts';
import { clientLimits } from './client-limits.ts';

/** Writes `hello` to a socket that has just been opened. */
export type SendHello = (connection: Connection) => void;

export type HelloSender = {
  /** Reads the user data for `hello`; undefined: the user has been deleted. Rejects when identity is unavailable. */
  helloFor(caller: SessionCaller): Promise<SendHello | undefined>;
  stop(): Promise<void>;
};

type User = { appId: string; userId: string };

/** Limits for look-ups of users: the same as for the tokens looked up before. */
const BATCH = { maxItems: 500, maxQueued: 20_000 };

/** Reads users in batches, since many clients connect at once after a gateway restarts. */
export function createHelloSender(
  ctx: Uses<'auth' | 'clock' | 'config' | 'downloads' | 'identity' | 'wire'>,
): HelloSender {
  const users = createBatcher<User, Identity | undefined>({
    ...BATCH,
    run: (items) => callInHalves(items, (some) => findUsers(ctx, some)),
  });
  return {
    async helloFor(caller) {
      const { appId, userId } = caller;
      const user = await users.add({ appId, userId });
      if (!user || user.deleted) return undefined;
      return (connection) => sendHello(ctx, connection, user);
    },
    stop: () => users.stop(),
  };
}

/** The identity of each user, in order. */
async function findUsers(
  { identity }: Uses<'identity'>,
  users: readonly User[],
): Promise<(Identity | undefined)[]> {
  const found = new Map<string, Identity>();
  const byApp = Map.groupBy(users, ({ appId }) => appId);
  await Promise.all(
    [...byApp].map(async ([appId, some]) => {
      const userIds = [...new Set(some.map(({ userId }) => userId))];
      const { identities } = await identity.findIdentities({ appId, userIds });
      for (const each of identities) found.set(`${appId}/${each.userId}`, each);
    }),
  );
  return users.map(({ appId, userId }) => found.get(`${appId}/${userId}`));
}

function sendHello(
  ctx: Uses<'auth' | 'clock' | 'config' | 'downloads' | 'wire'>,
  connection: Connection,
  user: Identity,
): void {
  const { appId, expiresAt } = connection.caller;
  const view = clientView(ctx, connection.caller);
  const hello = helloJson(view, {
    user,
    expiresAt,
    serverTime: ctx.clock.now(),
    keepAliveSeconds: PING_EVERY_MS / 1000,
    limits: limitsFor(ctx, appId),
  });
  connection.write(
    'hello',
    frameBody(connection.isLean ? { ...hello, templates: addressTemplates(view) } : hello),
  );
}

function limitsFor({ config, auth }: Uses<'auth' | 'config'>, appId: string): ClientLimitsJson {
  return clientLimits(config, auth.inlineBodyBytesOf(appId), auth.featuresOf(appId));
}
