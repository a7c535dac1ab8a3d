import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { systemClock } from '@parley/kit/runtime/clock';
import {
  ChangeLogService,
  type ListUserEventsRequest,
} from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { EventSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import { until } from '@parley/testing';
import type { Connection } from '../../connection/connection.ts';
import { createCatchUp, type CatchUp } from './catch-up.ts';
import { createHub } from '../../connection/hub.ts';
import { createRepairs, type Repairs } from './repairs.ts';

const appId = 'app';
const announced = (userId: string): Event =>
  create(EventSchema, {
    ...{ id: `of ${userId}`, appId, createdAt: 100, onlyUserIds: [userId] },
    body: { case: 'announcementDeleted', value: { announcementId: 'any' } },
  });

let repairs: Repairs;
let catchUp: CatchUp;
afterEach(() => {
  catchUp.stop();
  repairs.stop();
});

type Answer = (request: ListUserEventsRequest) => Event[] | Promise<Event[]>;

function start(userIds: string[], answers: Answer[]) {
  const hub = createHub();
  for (const userId of userIds) hub.add({ caller: { appId, userId }, connectedAt: 0 } as Connection);
  const logs = answers.map((answer) =>
    createClient(
      ChangeLogService,
      createRouterTransport(({ service }) => {
        service(ChangeLogService, { listUserEvents: async (req) => ({ events: await answer(req) }) });
      }),
    ),
  );
  const delivered: string[] = [];
  const heads: [string, number, number][] = [];
  const failed = (): void => undefined;
  repairs = createRepairs({ failed, setTimer: systemClock.setTimer });
  catchUp = createCatchUp({
    ...{ hub, logs, repairs, clock: systemClock, failed },
    deliver: async ({ onlyUserIds }) => void delivered.push(...onlyUserIds),
    head: (_, { conversationId, firstSeq, seq }) => void heads.push([conversationId, firstSeq, seq]),
  });
  return { delivered, heads };
}
const within = <T>(what: string, attempt: () => T | undefined) => until(attempt, { withinMs: 10_000, what });

test("one user's failing log does not delay other users, and is read again", async () => {
  let isBroken = true;
  const { delivered } = start(
    ['ann', 'bob', 'cem'],
    [
      ({ userId }) => {
        if (userId === 'ann' && isBroken) throw new ConnectError('broken', Code.Internal);
        return [announced(userId)];
      },
    ],
  );
  catchUp.from(performance.now());
  await within('the others', () => (delivered.length === 2 ? delivered : undefined));
  expect(delivered.toSorted()).toEqual(['bob', 'cem']);
  isBroken = false;
  await within('the failed one', () => delivered.includes('ann') || undefined);
  expect(delivered).toHaveLength(3);
});

test("one service's failing log does not keep a user from the other services' changes", async () => {
  const broken = (): Event[] => {
    throw new ConnectError('broken', Code.Unavailable);
  };
  const { delivered } = start(['ann'], [broken, ({ userId }) => [announced(userId)]]);
  catchUp.from(performance.now());
  await within('the second log', () => delivered[0]);
  expect(delivered).toEqual(['ann']);
});

test('conversations are repaired while a slow log is still being read', async () => {
  const never = new Promise<Event[]>(() => undefined);
  const change = (conversationId: string, seq: number): Event =>
    create(EventSchema, { appId, conversationId, seq, createdAt: 100 });
  const { heads } = start(['ann', 'bob'], [
    ({ userId }) => (userId === 'ann' ? never : [change('c', 4), change('c', 5)]),
  ]); // prettier-ignore
  catchUp.from(performance.now());
  await within('the head', () => heads[0]);
  expect(heads).toEqual([['c', 4, 5]]);
});

test('the log is asked for an age that includes the time that the call may take', async () => {
  const asked: ListUserEventsRequest[] = [];
  start(['ann'], [(request) => (asked.push(request), [])]);
  catchUp.from(performance.now() - 7_000);
  const request = await within('a request', () => asked[0]);
  expect(request.fromMsAgo).toBeGreaterThanOrEqual(12_000);
  expect(request.fromMsAgo).toBeLessThan(22_000);
  // For a service that does not know ages, and whose clock may be 5 s behind.
  expect(request.fromTimestamp).toBeLessThanOrEqual(Date.now() - 17_000);
});
