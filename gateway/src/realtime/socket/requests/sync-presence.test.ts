import { createClient, createRouterTransport } from '@connectrpc/connect';
import { limits } from '@parley/contract/limits';
import { problemOf } from '@parley/domain/problems';
import { createWire } from '@parley/domain/wire';
import { PresenceService, PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { RelationService } from '@parley/proto/parley/identity/v1/relation_service_pb';
import { createResponseSlots } from '@parley/http/answers/slots';
import { createConcurrencyLimiter } from '../../../admission/limits/concurrency.ts';
import { RenderedData } from './rendered-data.ts';
import type { SocketRequest } from './request.ts';
import { syncPresence } from './sync-presence.ts';

type Answer = { changes: { object: { id: string } }[]; complete?: boolean };

const SINCE = '2026-01-01T00:00:00.000Z';
const perCaller = { perUser: 2, perApp: 100 };

const namesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `user-${String(index).padStart(6, '0')}`);

/** An identity service with a user who follows `followed` users whose presence has changed; counts its requests. */
function identityOf(followed: number, pause: Promise<void> = Promise.resolve()) {
  const all = namesOf(followed);
  const asked = { pages: 0, presences: 0 };
  const transport = createRouterTransport(({ service }) => {
    service(RelationService, {
      listFollowing: ({ fromId, pageSize }) => {
        asked.pages += 1;
        const first = fromId === '' ? 0 : all.indexOf(fromId) + 1;
        return { userIds: all.slice(first, first + pageSize), stamp: '1', total: all.length };
      },
    });
    service(PresenceService, {
      getPresences: async ({ userIds }) => {
        asked.presences += 1;
        await pause;
        const presence = { status: PresenceStatus.BUSY, changedAt: Date.parse('2026-02-01'), version: 1 };
        return { presences: userIds.map((userId) => ({ ...presence, userId })) };
      },
    });
  });
  return { asked, transport };
}

/** A socket of ada at a gateway, with the weights of its requests. */
function socketOf({ transport }: ReturnType<typeof identityOf>, watched: string[] = []) {
  const responseSlots = createResponseSlots();
  const weights: number[] = [];
  const connection = {
    ...{ caller: { appId: 'app', userId: 'ada', sessionId: 's1' }, isOpen: true, buffered: 0 },
    close: () => (connection.isOpen = false),
  };
  const concurrency = createConcurrencyLimiter({
    ...{ lists: perCaller, patches: perCaller, announcementsPerApp: 1, erasuresPerApp: 1 },
    ...{ exports: { perToken: 1, perApp: 1 } },
    replays: { perSocket: 2, perUser: 3, perApp: 100, all: 100 },
  });
  const ctx = {
    ...{ wire: createWire('svc'), downloads: undefined, responseSlots, limits: { concurrency } },
    config: { replayStallSeconds: 60, maxPresenceIds: 1_000, publicUrl: 'http://parley.test' },
    auth: { publicIdentityFieldsOf: () => [] },
    presences: createClient(PresenceService, transport),
    relations: createClient(RelationService, transport),
  };
  const live = { presence: { watchedBy: () => watched } };
  const weigh = (weight: number) => void weights.push(weight);
  const sync = (data: object) =>
    syncPresence({ ctx, live, connection, data, weigh } as unknown as SocketRequest);
  return { connection, responseSlots, weights, sync };
}

function read(answer: object): Answer {
  if (!(answer instanceof RenderedData)) throw new Error('the answer is not rendered');
  answer.written?.();
  return JSON.parse(answer.json) as Answer;
}

test('a synchronisation holds the changes of all followed users, and weighs by their number', async () => {
  const { sync, weights } = socketOf(identityOf(1_700));
  const { changes, ...others } = read(await sync({ since: SINCE }));
  expect(changes.map(({ object }) => object.id.split('/').at(-1))).toEqual(namesOf(1_700));
  expect(others).toEqual({});
  expect(weights).toEqual([17]);
});

test.each([
  ['subscribed to', { since: SINCE }, namesOf(2_500)],
  ['named', { ids: ['user-000001', 'user-000000', 'user-000001'] }, ['user-000001', 'user-000000']],
])('a synchronisation of users %s has each once', async (_which, data, expected) => {
  const { asked, transport } = identityOf(10);
  const { sync } = socketOf({ asked, transport }, namesOf(2_500));
  const { changes } = read(await sync(data));
  expect(changes.map(({ object }) => object.id.split('/').at(-1))).toEqual(expected);
  expect(asked.pages).toBe(0);
});

test('a synchronisation without changes has an empty list', async () => {
  const { sync } = socketOf(identityOf(1_700));
  expect(read(await sync({ since: '2026-03-01T00:00:00.000Z' }))).toEqual({ changes: [] });
});

test('a synchronisation reads no more than an answer holds, and says that it is not complete', async () => {
  const { asked, transport } = identityOf(60_000);
  const { sync } = socketOf({ asked, transport });
  const answer = await sync({ since: SINCE });
  const { changes, complete } = read(answer);
  expect(complete).toBe(false);
  expect(changes.length).toBeGreaterThan(10_000);
  expect((answer as RenderedData).json.length).toBeLessThan(5 * 1024 * 1024);
  expect(asked.presences).toBeLessThan(60_000 / limits.followingPage / 2);
});

test('a synchronisation ends with its socket', async () => {
  const { promise: pause, resolve: end } = Promise.withResolvers<void>();
  const { asked, transport } = identityOf(60_000, pause);
  const { sync, connection } = socketOf({ asked, transport });
  const answer = sync({ since: SINCE });
  connection.isOpen = false;
  end();
  expect(read(await answer).complete).toBe(false);
  expect(asked.presences).toBeLessThanOrEqual(1);
});

test('a user has as many synchronisations under way as lists; those beyond the ones that wait are refused', async () => {
  const { promise: pause, resolve: end } = Promise.withResolvers<void>();
  const { asked, transport } = identityOf(10, pause);
  const { sync } = socketOf({ asked, transport });
  const syncs = Array.from({ length: 800 }, () =>
    sync({ since: SINCE }).catch((error: unknown) => problemOf(error)?.id),
  );
  await new Promise(setImmediate);
  expect(asked.presences).toBeLessThanOrEqual(2);
  end();
  const refused = (await Promise.all(syncs)).filter((answer) => answer === 'rate_limit_exceeded');
  expect(refused).toHaveLength(98);
});

test('a large response keeps its slot until the client has read it', async () => {
  const { sync, connection, responseSlots } = socketOf(identityOf(1_700));
  connection.buffered = 1024 * 1024;
  for (let taken = 0; taken < 6; taken += 1) read(await sync({ since: SINCE }));
  let entered = false;
  const next = responseSlots.large('app', 'ada').then((leave) => {
    entered = true;
    return leave;
  });
  await new Promise(setImmediate);
  expect(entered).toBe(false);
  connection.buffered = 0;
  (await next)();
});
