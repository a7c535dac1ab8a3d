import { newId } from '@parley/domain/ids';
import { expectProblem } from '@parley/domain/testing/problems';
import { CALL_TIMEOUT_MS } from '@parley/testing';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { insertErasures } from '../src/sql/erasure.ts';
import { createUpload, send, type Upload } from './support/client.ts';
import { createLife } from './support/life.ts';
import { startContent, type Platform } from './support/platform.ts';

// docs/protocol/uploads.md#room-for-uploads

const OF_USER = 1_000;
const OF_APP = 3_000;
const DAY_MS = 86_400_000;

let platform: Platform;
let appId: string;
const { uploaded, claim, pass } = createLife(() => platform);

beforeAll(async () => {
  platform = await startContent({
    ...{ maxUnreferencedBytesPerUser: OF_USER, maxUnreferencedBytesPerApp: OF_APP, maxUploadsPerUser: 100 },
  });
});
beforeEach(() => void (appId = newId()));
afterEach(expectTrueUsage);
afterAll(() => platform.stop());

const open = (size: number, userId = 'alice', of: Pick<Platform, 'content'> = platform) =>
  createUpload(of, { size, appId, userId });

const refusedFor = (quota: string, limit: number) =>
  ['quota_exceeded', { quota, limit, resets_at: null }] as const;
const userIsFull = () => expectProblem(open(1), ...refusedFor('unreferenced_bytes_of_user', OF_USER));

/** The stored usage of all applications is that of their contents, once it is settled. */
async function expectTrueUsage(): Promise<void> {
  await platform.jobs.settle();
  const truth = `
    select app_id, user_id, size from content
    where status = 1 or status = 2 and unreferenced_since is not null`;
  const differing = await platform.db.query({
    text: `
      select app_id, user_id, true_bytes, bytes from (
        select app_id, user_id, sum(size) as true_bytes from (${truth}) one where user_id is not null group by 1, 2
        union all select app_id, '', sum(size) from (${truth}) one group by 1
      ) counted full join content_usage using (app_id, user_id)
      where coalesce(true_bytes, 0) <> coalesce(bytes, 0) or bytes = 0`,
  });
  expect(differing).toEqual([]);
}

test('uploads count from their beginning, with their declared size', async () => {
  await open(600);
  await expectProblem(open(401), ...refusedFor('unreferenced_bytes_of_user', OF_USER));
  await open(400);
  await userIsFull();
  await open(0);
  await open(OF_USER, 'bob');
  await createUpload(platform, { size: OF_USER, appId: newId() });
});

test('an application has a limit for all of its users and servers together', async () => {
  for (const userId of ['alice', 'bob', '']) await open(900, userId);
  await expectProblem(open(301, ''), ...refusedFor('unreferenced_bytes_of_app', OF_APP));
  await expectProblem(open(301, 'carol'), ...refusedFor('unreferenced_bytes_of_app', OF_APP));
  await open(300, '');
});

test('of many at once no more are accepted than there is room for, by any process', async () => {
  const replica = await platform.addReplica();
  const channel = createRpcChannel({
    address: `127.0.0.1:${replica.address.rpc_port}`,
    secret: platform.config.rpcSecret,
    log: createLogger({ service: 'test', level: 'silent' }),
    timeoutMs: CALL_TIMEOUT_MS,
  });
  const other = { content: channel.client(ContentService) };
  const accepted = async (users: readonly string[]) => {
    const asked = users.map((userId, index) => open(300, userId, index % 2 === 0 ? platform : other));
    const answers = await Promise.allSettled(asked);
    return answers.filter(({ status }) => status === 'fulfilled').length;
  };
  expect(await accepted(Array.from({ length: 12 }, () => 'alice'))).toBe(3);
  expect(await accepted(Array.from({ length: 20 }, (_, index) => `user ${index}`))).toBe(7);
  channel.close();
});

type Way = (upload: Upload) => Promise<unknown>;
const change = (set: string) => (upload: Upload) =>
  platform.db.execute({
    text: `update content set ${set} where app_id = $1 and id = $2`,
    values: [upload.appId, upload.id],
  });

const RETURNS: [what: string, way: Way][] = [
  ['a message refers to it', (upload) => claim(upload, newId())],
  ['it is deleted after a day', () => pass(DAY_MS + 1)],
  [
    'its user is erased',
    async () => {
      await insertErasures(platform.db, appId, [{ userId: 'alice', version: 1 }]);
      await platform.jobs.erase();
    },
  ],
  // Processes of the release before do not know of the counting.
  ['the release before refers a message to it', change('unreferenced_since = null')],
  ['the release before ends it', change('status = 5, ended_at = now()')],
];

test.each(RETURNS)('room returns when %s', async (_what, way) => {
  const upload = await uploaded(OF_USER, appId, { userId: 'alice' });
  await userIsFull();
  await way(upload);
  await open(OF_USER);
  await userIsFull();
});

test('room returns when an upload is cancelled or expires', async () => {
  const cancelled = await open(OF_USER);
  await send(cancelled.url, { method: 'DELETE' });
  await open(OF_USER);
  await userIsFull();
  await pass(7 * DAY_MS + 1);
  await open(OF_USER);
});

test('content counts again when its last message goes without it', async () => {
  const upload = await uploaded(OF_USER, appId, { userId: 'alice' });
  const messageId = newId();
  await claim(upload, messageId);
  await open(1);
  // Messaging does not know the message: the claim is dropped.
  platform.clock.advance(2 * 3_600_000);
  await platform.jobs.verify();
  await userIsFull();
});

test('uploads that the release before begins count', async () => {
  await platform.db.execute({
    text: `
      insert into content (app_id, id, user_id, by_server, size, content_type, token_hash, created_at, active_at)
      select $1, gen_random_uuid(), 'alice', false, ${OF_USER}, 'a/b', sha256(gen_random_uuid()::text::bytea), now(), now()`,
    values: [appId],
  });
  await userIsFull();
});

test('a burst of changes is settled before an upload is refused', async () => {
  await platform.db.execute({
    text: `
      with added as (
        insert into content (app_id, id, status, user_id, by_server, size, content_type, token_hash, created_at,
          active_at, unreferenced_since, counted)
        select $1, gen_random_uuid(), 2, 'alice', false, 1, 'a/b', sha256(gen_random_uuid()::text::bytea), now(), now(),
          null, true
        from generate_series(1, 1200)
      )
      insert into content_usage select $1, user_id, 1200 from unnest(array['', 'alice']) as both_rows (user_id)
      on conflict (app_id, user_id) do update set bytes = 1200`,
    values: [appId],
  });
  await open(OF_USER);
  await userIsFull();
});

test('a content that still counts is not forgotten before it no longer does', async () => {
  const upload = await open(10);
  await change(`status = 3, ended_at = now(), purged_at = to_timestamp(0)`)(upload);
  await platform.jobs.forget();
  await open(OF_USER);
});
