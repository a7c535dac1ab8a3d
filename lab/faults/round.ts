import type { Receiver } from '@parley/testing/doubles/receiver';
import { createApp, uuidOf, type TestApp, type TestUser } from '../../test/support/app.ts';
import { makeKeyPair, type KeyPair } from '../../test/support/archive.ts';
import { follow, type Follower } from '../../test/support/follower.ts';
import { until } from '../../test/support/until.ts';
import { subscribe, type Subscribed } from '../../test/support/webhooks.ts';
import { startDevices } from './devices.ts';
import type { Pushes } from './pushes.ts';
import { SILENT } from './silence.ts';
import type { World } from './world.ts';

/** The value that the packet `hello` states as `replay_overlap_in_seconds`. */
const OVERLAP_MS = 18_000;
const OPEN_WITHIN_MS = 60_000;

export type Followed = { user: string; name: string; follower: Follower };

/** An application of its own for a number of faults, so that what has to be read afterwards stays small. */
export type Round = {
  app: TestApp;
  users: Record<
    'ada' | 'bob' | 'host' | 'guest' | 'blocked' | 'shy' | 'bold' | 'returning' | 'away' | 'mia' | 'sid',
    TestUser
  >;
  /** Conversations of ada, bob, host and blocked; in the first one is also a user who is away: who reads nothing and has no socket. */
  shared: readonly string[];
  /** The conversation of host, ada and the guest, who is removed and added. */
  guests: string;
  /** The conversation of host, ada and the user who is erased and logs in again. */
  returns: string;
  /** The conversation of host, ada and two users who block each other now and then. */
  quarrels: string;
  /** The conversation of host, ada, sid, who is shadowed now and then, and mia, who is muted, made an observer and banned. */
  moderated: string;
  /**
   * Writers and readers of conversations that fall silent, with the readers' sockets; empty where there are no such conversations. Nothing except these sockets waits for the events of their application.
   */
  silent: { users: readonly TestUser[]; followers: readonly Followed[] };
  /** Users who stay in a conversation, by conversation. */
  members: Map<string, readonly string[]>;
  /** Users with sockets, who get announcements. */
  followed: readonly TestUser[];
  followers: readonly Followed[];
  webhook: Subscribed;
  /** Webhooks that became active during the round, and when; Infinity: not yet. Milliseconds. */
  activated: { since: number; receiver: Receiver }[];
  /** Applications that were deleted during the round. */
  removed: string[];
  /** Addresses of all gateways. */
  addresses: readonly string[];
  keys: KeyPair;
  /** Pushes to the devices of bob and of the user who is away; absent without a push service. */
  pushes?: () => Pushes;
  stop(): Promise<void>;
};

/** `fallsSilent`: there are users whose conversations fall silent. */
export async function startRound(
  world: Pick<World, 'platform' | 'addresses' | 'browsers'>,
  { fallsSilent = false } = {},
): Promise<Round> {
  const app = await createApp(world.platform, 'round');
  const login = (id: string) => app.login(id);
  const users = {
    ...{ ada: await login('ada'), bob: await login('bob'), host: await login('host') },
    ...{ guest: await login('guest'), blocked: await login('blocked') },
    ...{ shy: await login('shy'), bold: await login('bold') },
    ...{ returning: await login('returning'), away: await login('away') },
    ...{ mia: await login('mia'), sid: await login('sid') },
  };
  const keys = makeKeyPair();
  await app.server('PUT', '/export_security', 200, { body: { public_key: keys.publicKey } });
  const create = async (...participants: string[]) => {
    const body = { participants, distinct: false };
    return uuidOf((await users.host.call('POST', '/conversations', 201, { body })).body.id);
  };
  const shared = [await create('ada', 'bob', 'blocked', 'away'), await create('ada', 'bob', 'blocked')];
  const guests = await create('ada', 'guest');
  const returns = await create('ada', 'returning');
  const quarrels = await create('ada', 'shy', 'bold');
  const moderated = await create('ada', 'sid', 'mia');
  const members = new Map<string, readonly string[]>([
    ...shared.map((id, index): [string, string[]] => {
      const all = ['host', 'ada', 'bob', 'blocked'];
      return [id, index === 0 ? [...all, 'away'] : all];
    }),
    [guests, ['host', 'ada']],
    [returns, ['host', 'ada']],
    [quarrels, ['host', 'ada', 'shy', 'bold']],
    [moderated, ['host', 'ada', 'sid']],
  ]);
  const pushes = world.browsers && (await startDevices(world.browsers.web, [users.bob, users.away]));
  const webhook = await subscribe(app, ['Message.created']);
  const followed = [users.ada, users.bob];
  const silent = fallsSilent ? await createSilent(world) : { users: [], followers: [] };
  const activated: Round['activated'] = [];
  const followers = followAll(world, followed);
  await until(
    'every socket is open',
    () => [...followers, ...silent.followers].every(({ follower }) => follower.replays > 0) || undefined,
    OPEN_WITHIN_MS,
  );
  return {
    ...{ app, users, shared, guests, returns, quarrels, members, silent, followed, followers, webhook, keys },
    ...{ moderated, activated, removed: [], addresses: world.addresses },
    ...(pushes && { pushes }),
    stop: async () => {
      await Promise.all([...followers, ...silent.followers].map(({ follower }) => follower.stop()));
      await Promise.all([webhook, ...activated].map(({ receiver }) => receiver.stop()));
    },
  };
}

/** Sockets of each user at every gateway. */
function followAll({ addresses }: Pick<World, 'addresses'>, users: readonly TestUser[]): Followed[] {
  return users.flatMap((user) =>
    addresses.map((address, index) => {
      const name = `${user.id}'s socket at gateway ${index + 1}`;
      return { user: user.id, name, follower: follow(address, user.token, OVERLAP_MS) };
    }),
  );
}

async function createSilent(world: Pick<World, 'platform' | 'addresses'>): Promise<Round['silent']> {
  const app = await createApp(world.platform, SILENT);
  const users = [await app.login(`${SILENT}-writer`), await app.login(`${SILENT}-reader`)];
  return { users, followers: followAll(world, users) };
}
