import { create, toBinary } from '@bufbuild/protobuf';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { createWire } from '@parley/domain/wire';
import { createTestClock } from '@parley/kit/runtime/clock';
import {
  PresenceBatchSchema,
  PresenceSchema,
  PresenceService,
  PresenceStatus,
} from '@parley/proto/parley/identity/v1/presence_service_pb';
import { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import type { Connection } from '../connection/connection.ts';
import type { FrameBody } from '../connection/frame.ts';
import { createPresenceWatchers } from './watchers.ts';

const appId = 'app';
const { AVAILABLE, BUSY } = PresenceStatus;

/** A followed list as identity keeps it, and the requests for it. */
type Identity = {
  followed: string[];
  stamp: number;
  presences: ({ userId: string; status: PresenceStatus; changedAt: number; version: number } & Hiding)[];
  pages: number;
  /** Applications whose presences were requested, in order. */
  presencesOf: string[];
  /** Users whose excluded viewers were requested, in order. */
  hiddenOf: string[];
  asking: number;
  mostAsking: number;
  /** Whether requests for excluded viewers fail. */
  hidesFail: boolean;
  /** Awaited before each answer. */
  pause: Promise<void>;
};

let identity: Identity;
let listening: Map<string, number>;

beforeEach(() => {
  const asked = { pages: 0, presencesOf: [], hiddenOf: [], asking: 0, mostAsking: 0, hidesFail: false };
  identity = { followed: [], stamp: 1, presences: [], pause: Promise.resolve(), ...asked };
  listening = new Map();
});

const transport = createRouterTransport(({ service }) => {
  service(RelationService, {
    listFollowing: async ({ fromId, pageSize, knownStamp }) => {
      identity.pages += 1;
      await identity.pause;
      const stamp = String(identity.stamp);
      if (knownStamp === stamp) return { stamp, unchanged: true };
      const first = identity.followed.findIndex((id) => id > fromId);
      const userIds = first < 0 ? [] : identity.followed.slice(first, first + pageSize);
      return { userIds, stamp, total: identity.followed.length };
    },
  });
  service(PresenceService, {
    getPresences: ({ appId: app, userIds }) => {
      identity.presencesOf.push(app);
      if (app === 'broken') throw new Error('the presences of this application cannot be read');
      return { presences: identity.presences.filter(({ userId }) => userIds.includes(userId)) };
    },
    listHiddenFrom: async ({ userId, viewerUserIds }) => {
      identity.hiddenOf.push(userId);
      identity.mostAsking = Math.max(identity.mostAsking, (identity.asking += 1));
      await settled();
      identity.asking -= 1;
      if (identity.hidesFail) throw new Error('it cannot be read who does not see this user');
      return { userIds: viewerUserIds.filter((one) => one.startsWith('unseeing')) };
    },
  });
});

type Hiding = { hiddenFrom?: string[]; hiddenFromMore?: boolean };
type Socket = Connection & { told: string[]; isOpen: boolean };

function socketOf(userId: string, app = appId): Socket {
  const told: string[] = [];
  const push = (_: string, { json }: FrameBody): void => {
    const { object, data } = JSON.parse(json) as {
      object: { id: string };
      data: { value: string }[];
    };
    told.push(`${object.id.split('/').at(-1)} ${data[0]?.value}`);
  };
  return { caller: { appId: app, userId }, isOpen: true, push, told } as unknown as Socket;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const count = (userId: string, by: number): unknown =>
  listening.set(userId, (listening.get(userId) ?? 0) + by);
const heard = (): string[] => [...listening].flatMap(([userId, times]) => (times > 0 ? [userId] : [])).sort();

function start({ maxPairsPerApp = 1_000_000, listen = (): Promise<void> => Promise.resolve() } = {}) {
  const clock = createTestClock(1_000_000);
  const failures: unknown[] = [];
  const watchers = createPresenceWatchers({
    presences: createClient(PresenceService, transport),
    relations: createClient(RelationService, transport),
    view: { wire: createWire('svc'), baseUrl: 'https://chat.example', audience: 'client', appId },
    ...{ clock, maxPairsPerApp },
    listen: (userId) => (count(userId, 1), listen()),
    unlisten: (userId) => void count(userId, -1),
    failed: (error) => void failures.push(error),
  });
  let version = 0;
  const happens = (userId: string, status: PresenceStatus, more: Hiding = {}): void => {
    version += 1;
    const presence = create(PresenceSchema, { userId, status, version, ...more });
    watchers.receive(
      toBinary(PresenceBatchSchema, create(PresenceBatchSchema, { presences: [presence] })),
      appId,
    );
  };
  /** Changes whom the user follows, and lets the list be read again. */
  async function follows(...userIds: string[]): Promise<void> {
    identity.followed = userIds;
    identity.stamp += 1;
    watchers.followedListsChanged(appId, ['ada']);
    clock.advance(250);
    for (let turn = 0; turn < 10; turn += 1) await settled();
  }
  return { watchers, clock, failures, happens, follows };
}

test('a subscription to all followed users follows the changes of the list', async () => {
  const { watchers, happens, follows } = start();
  const ada = socketOf('ada');
  identity.followed = ['bob'];
  await watchers.watchFollowed(ada);
  happens('bob', AVAILABLE);
  happens('cat', AVAILABLE);
  await follows('bob', 'cat');
  happens('cat', BUSY);
  await follows('cat');
  happens('bob', BUSY);
  expect(ada.told).toEqual(['bob available', 'cat busy']);
  expect(heard()).toEqual(['cat']);
});

test('changes of a user since they were followed are pushed, and no older ones', async () => {
  const { watchers, clock, follows } = start();
  const ada = socketOf('ada');
  await watchers.watchFollowed(ada);
  clock.advance(60_000);
  const fields = { status: AVAILABLE, version: 1 };
  identity.presences = [
    { userId: 'bob', changedAt: clock.now() - 1_000, ...fields },
    { userId: 'cat', changedAt: clock.now() - 50_000, ...fields },
  ];
  await follows('bob', 'cat');
  expect(ada.told).toEqual(['bob available']);
});

test('changes of a user since they were followed are pushed when a failed subscription is retried', async () => {
  let fails = false;
  const listen = (): Promise<void> => (fails ? Promise.reject(new Error('no answer')) : Promise.resolve());
  const { watchers, clock, failures, follows } = start({ listen });
  const ada = socketOf('ada');
  await watchers.watchFollowed(ada);
  const happened = { status: AVAILABLE, version: 1, changedAt: clock.now() + 100 };
  identity.presences = [{ userId: 'bob', ...happened }];
  fails = true;
  await follows('bob');
  expect([failures.length, ada.told]).toEqual([1, []]);
  fails = false;
  clock.advance(5_000);
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(ada.told).toEqual(['bob available']);
});

test('all sockets of a user share one list, and each gets a change once', async () => {
  const { watchers, happens } = start();
  const [one, other] = [socketOf('ada'), socketOf('ada')];
  identity.followed = Array.from({ length: 1_200 }, (_, n) => `user${String(n).padStart(4, '0')}`);
  await watchers.watchFollowed(one);
  expect(identity.pages).toBe(3);
  await watchers.watchFollowed(other);
  expect(identity.pages).toBe(4);
  await watchers.watch(other, ['user0007']);
  happens('user0007', BUSY);
  expect([one.told, other.told]).toEqual([['user0007 busy'], ['user0007 busy']]);
  expect([...watchers.watchedBy(other)]).toHaveLength(1_200);
  for (const socket of [one, other]) watchers.left(socket);
  expect(heard()).toEqual([]);
});

test('a list that changes often is read once for all changes within a moment', async () => {
  const { watchers, clock } = start();
  await watchers.watchFollowed(socketOf('ada'));
  identity.stamp += 1;
  for (let change = 0; change < 100; change += 1) watchers.followedListsChanged(appId, ['ada', 'bob']);
  clock.advance(250);
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(identity.pages).toBe(2);
});

test('a socket that closes while it subscribes leaves nothing behind', async () => {
  const { watchers, happens } = start();
  identity.followed = ['bob'];
  let go = (): void => undefined;
  identity.pause = new Promise((resolve) => (go = resolve));
  const ada = socketOf('ada');
  const subscribing = watchers.watchFollowed(ada);
  ada.isOpen = false;
  watchers.left(ada);
  go();
  await subscribing;
  // The second socket is closed when its request is handled.
  await watchers.watch(ada, ['cat']);
  await watchers.watchFollowed(ada);
  for (const userId of ['bob', 'cat']) happens(userId, BUSY);
  expect(ada.told).toEqual([]);
  expect(heard()).toEqual([]);
  expect([...watchers.watchedBy(ada)]).toEqual([]);
});

test('an app that watches more than its share is refused, and can go on with less', async () => {
  const { watchers, happens } = start({ maxPairsPerApp: 3 });
  const [ada, bob] = [socketOf('ada'), socketOf('bob')];
  await watchers.watch(ada, ['cat', 'dan']);
  await expect(watchers.watch(bob, ['cat', 'dan'])).rejects.toThrow('too many users');
  await watchers.watch(bob, ['cat']);
  happens('cat', BUSY);
  expect([ada.told, bob.told]).toEqual([['cat busy'], ['cat busy']]);
  watchers.left(ada);
  await watchers.watch(bob, ['dan', 'eve']);
  expect(heard()).toEqual(['cat', 'dan', 'eve']);
});

test('catching up takes applications in turn, and one that fails does not delay the rest', async () => {
  const { watchers } = start();
  const users = Array.from({ length: 3_000 }, (_, index) => `user-${index}`);
  const [large, broken, small] = ['large', 'broken', 'small'].map((app) => socketOf('ada', app));
  await watchers.watch(large!, users);
  await watchers.watch(broken!, ['bob']);
  await watchers.watch(small!, ['bob']);
  identity.presences = ['bob', 'user-2999'].map((userId) => ({
    ...{ userId, status: BUSY, changedAt: 1, version: 1 },
  }));
  await expect(watchers.catchUp()).rejects.toThrow('could not be read');
  expect(identity.presencesOf).toEqual(['large', 'broken', 'small', 'large', 'large']);
  expect([large!.told, small!.told]).toEqual([['user-2999 busy'], ['bob busy']]);
});

test('a change is not pushed to users from whom it is kept, named or not, and later changes do not overtake it', async () => {
  const { watchers, happens } = start();
  const [ada, eve] = [socketOf('ada'), socketOf('unseeing eve')];
  for (const socket of [ada, eve]) await watchers.watch(socket, ['bob']);
  happens('bob', AVAILABLE, { hiddenFrom: ['unseeing eve'] });
  expect([ada.told, eve.told]).toEqual([['bob available'], []]);
  happens('bob', BUSY, { hiddenFromMore: true });
  happens('bob', AVAILABLE, { hiddenFrom: ['unseeing eve'] });
  while (ada.told.length < 3) await settled();
  expect([ada.told, eve.told]).toEqual([['bob available', 'bob busy', 'bob available'], []]);
});

test('catching up asks only for users with more unseeing ones than an answer names, and for one at a time', async () => {
  const { watchers } = start();
  const [ada, eve] = [socketOf('ada'), socketOf('unseeing eve')];
  const users = Array.from({ length: 50 }, (_, index) => `user-${index}`);
  for (const socket of [ada, eve]) await watchers.watch(socket, users);
  identity.presences = users.map((userId, index) => ({
    ...{ userId, status: BUSY, changedAt: 1, version: 1 },
    ...(index % 10 === 0 ? { hiddenFromMore: true } : { hiddenFrom: ['unseeing eve'] }),
  }));
  await watchers.catchUp();
  expect(identity.hiddenOf).toEqual(['user-0', 'user-10', 'user-20', 'user-30', 'user-40']);
  expect(identity.mostAsking).toBe(1);
  expect([ada.told, eve.told]).toEqual([users.map((userId) => `${userId} busy`), []]);
});

test('a change is pushed by the next repair if it could not be read who does not see it', async () => {
  const { watchers, happens, failures } = start();
  const ada = socketOf('ada');
  await watchers.watch(ada, ['bob']);
  identity.hidesFail = true;
  happens('bob', BUSY, { hiddenFromMore: true });
  while (failures.length < 1) await settled();
  identity.presences = [{ userId: 'bob', status: BUSY, changedAt: 1, version: 1, hiddenFromMore: true }];
  await expect(watchers.catchUp()).rejects.toThrow('could not be read');
  expect(ada.told).toEqual([]);
  identity.hidesFail = false;
  for (const _ of [1, 2]) await watchers.catchUp();
  expect(ada.told).toEqual(['bob busy']);
});

test('a change that is pushed after one that could not be pushed counts as known', async () => {
  const { watchers, happens, failures } = start();
  const ada = socketOf('ada');
  identity.hidesFail = true;
  await watchers.watch(ada, ['bob']);
  happens('bob', BUSY, { hiddenFromMore: true });
  happens('bob', AVAILABLE);
  while (failures.length < 1 || ada.told.length < 1) await settled();
  identity.presences = [{ userId: 'bob', status: AVAILABLE, changedAt: 1, version: 2 }];
  await watchers.catchUp();
  expect(ada.told).toEqual(['bob available']);
});
