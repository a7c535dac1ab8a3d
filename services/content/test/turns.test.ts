import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { newId } from '@parley/domain/ids';
import { recordLeases } from '@parley/kit/testing/leases';
import { until } from '@parley/testing';
import { createUpload, send, type Upload } from './support/client.ts';
import { conversationOf, createLife, messageWith } from './support/life.ts';
import { startContent, type Platform } from './support/platform.ts';

const SETTLED_MS = 3_600_000;

let platform: Platform;
let busy: string;
let quiet: string;
const { uploaded, claim, isThere, references, pass } = createLife(() => platform);

// The work of a busy application comes first in the order of ids and of time.
beforeEach(async () => {
  platform = await startContent();
  [busy, quiet] = [newId(), newId()];
});
afterEach(() => platform.stop());

function pathOf({ appId, id }: Upload): string {
  return `${platform.folder}/content/${appId}/${id}`;
}
function count(text: string): Promise<number> {
  return platform.db.execute({ text, values: [busy] });
}

/** Contents of the busy application that nothing refers to, by a user. */
async function insertContents(rows: { status: number; userId: string; number: number }): Promise<void> {
  const { status, userId, number } = rows;
  await platform.db.execute({
    text: `
      insert into content (app_id, id, status, user_id, by_server, size, content_type, token_hash, created_at, active_at,
        unreferenced_since, ended_at)
      select $1, gen_random_uuid(), $2::int, $3, false, 1, 'a/b', sha256(gen_random_uuid()::text::bytea), times.at,
        times.at, times.at, case when $2::int > 2 then times.at end
      from generate_series(1, $4::int), (select now() - interval '1 hour' as at) times`,
    values: [busy, status, userId, number],
  });
}

/** Runs a job until it is done, whether this call or the service's own timer did it. */
async function finish(job: 'erase' | 'removeApps' | 'release', table: string): Promise<void> {
  await until(
    async () => {
      await platform.jobs[job]();
      return (await platform.db.execute({ text: `select from ${table}` })) === 0 || undefined;
    },
    { withinMs: 20_000, what: `${table} is empty` },
  );
}

test('erasures proceed in bounded steps, in turn by application', async () => {
  const leases = await recordLeases(platform.db, 'erasure');
  const [sent, later] = [await uploaded(10, quiet), await uploaded(10, quiet)];
  await claim(sent, newId());
  await platform.db.execute({
    text: `
      insert into content_message (app_id, id, conversation_id, sender_id, claimed_at)
      select $1, gen_random_uuid(), $1, 'alice', now() - interval '1 hour' from generate_series(1, 220)`,
    values: [busy],
  });
  await insertContents({ status: 2, userId: 'alice', number: 1200 });
  await insertContents({ status: 1, userId: 'bob', number: 3 });
  // The second upload was made after the erasure, by a user who came back.
  await platform.db.execute({
    text: `update content set incarnation = 4 where app_id = $1 and id = $2`,
    values: [quiet, later.id],
  });
  await platform.db.execute({
    text: `
      insert into erasure (app_id, user_id, version)
      select app_id, 'alice', 4 from unnest(array[$1, $2]::uuid[]) as app (app_id)`,
    values: [busy, quiet],
  });
  await finish('erase', 'erasure');
  const order = await leases.of(quiet, busy);
  // Five steps for the messages and three for the uploads.
  expect(order.filter((appId) => appId === busy)).toHaveLength(8);
  await leases.expectTurn(quiet, busy);
  expect([await isThere(sent), await isThere(later)]).toEqual([false, true]);
  expect(await count('select from content_message where app_id = $1 and deleted_at is null')).toBe(0);
  expect(await count('select from content where app_id = $1 and status = 5')).toBe(1200);
  expect(await count('select from content where app_id = $1 and status = 1')).toBe(3);
}, 60_000);

test('deleted applications are removed in bounded steps, in turn', async () => {
  const leases = await recordLeases(platform.db, 'deleted_app');
  const upload = await uploaded(10, quiet);
  await insertContents({ status: 2, userId: 'alice', number: 2500 });
  await platform.db.execute({
    text: `
      insert into deleted_app (app_id, heard_at, due_at)
      select app_id, now(), '-infinity' from unnest(array[$1, $2]::uuid[]) as app (app_id)`,
    values: [busy, quiet],
  });
  await finish('removeApps', 'deleted_app');
  expect(await leases.of(busy)).toHaveLength(4);
  await leases.expectTurn(quiet, busy);
  expect(await isThere(upload)).toBe(false);
  expect(await count('select from content where app_id = $1 and status = 5')).toBe(2500);
}, 60_000);

test('the content of deleted conversations is released in bounded steps, in turn', async () => {
  const leases = await recordLeases(platform.db, 'deleted_conversation');
  const upload = await uploaded(10, quiet);
  await claim(upload, newId());
  const other = newId();
  await platform.db.execute({
    text: `
      insert into content_message (app_id, id, conversation_id, sender_id, claimed_at)
      select $1::uuid, gen_random_uuid(), case when number <= 220 then $1::uuid else $2::uuid end, 'alice', now()
      from generate_series(1, 223) as number`,
    values: [busy, other],
  });
  await platform.db.execute({
    text: `insert into deleted_conversation (app_id, conversation_id) values ($1::uuid, $1::uuid), ($2, $3)`,
    values: [busy, quiet, conversationOf(upload)],
  });
  await finish('release', 'deleted_conversation');
  expect(await leases.of(busy)).toHaveLength(5);
  await leases.expectTurn(quiet, busy);
  expect(await isThere(upload)).toBe(false);
  // Those of another conversation of the same application.
  expect(await count('select from content_message where app_id = $1 and deleted_at is null')).toBe(3);
}, 60_000);

test('a claim of a quiet application is verified before most claims of a busy one', async () => {
  const asked: string[] = [];
  platform.messages.get = (id) => {
    asked.push(id);
    return undefined;
  };
  const upload = await uploaded(10, quiet);
  const messageId = newId();
  await platform.db.execute({
    text: `
      insert into content_message (app_id, id, conversation_id, sender_id, claimed_at)
      select $1, gen_random_uuid(), $1, 'alice', to_timestamp($2::float8 / 1000) - interval '1 minute'
      from generate_series(1, 250)`,
    values: [busy, platform.clock.now()],
  });
  await claim(upload, messageId);
  await pass(SETTLED_MS + 1);
  // The service's own timer may verify them, too: two rounds at once.
  const inOrder = [...new Set(asked)];
  expect(inOrder).toHaveLength(251);
  expect(inOrder.indexOf(messageId)).toBeLessThanOrEqual(40);
  expect(await references(upload)).toBe(0);
}, 60_000);

test('blobs that fail to be removed are postponed by themselves and delay no other blob', async () => {
  const cancelled = async (appId: string): Promise<Upload> => {
    const upload = await createUpload(platform, { size: 10, appId });
    await send(upload.url, { method: 'DELETE' });
    await mkdir(pathOf(upload), { recursive: true });
    return upload;
  };
  const inTheWay = `${platform.folder}/content/${busy}`;
  await mkdir(`${platform.folder}/content`, { recursive: true });
  await writeFile(inTheWay, '');
  await insertContents({ status: 5, userId: 'alice', number: 100 });
  const other = await cancelled(quiet);
  const left = () => count('select from content where app_id = $1 and purged_at is null');

  await platform.jobs.purge();
  expect(existsSync(pathOf(other))).toBe(false);
  // Each run ends with the first round in which nothing could be removed, and the next run goes on after it.
  for (let run = 0; run < 5; run += 1) await platform.jobs.purge();
  expect(await count('select from content where app_id = $1 and purge_attempts = 1')).toBe(100);

  await rm(inTheWay);
  const own = await cancelled(busy);
  await platform.jobs.purge();
  expect([existsSync(pathOf(own)), await left()]).toEqual([false, 100]);
  platform.clock.advance(1000);
  await platform.jobs.purge();
  expect(await left()).toBe(0);
});

test('a claim that fails to be verified is postponed and delays no other claim', async () => {
  const [broken, lapsed] = [await uploaded(10, busy), await uploaded(10, quiet)];
  const messageId = newId();
  await claim(broken, messageId);
  platform.messages.set(messageId, messageWith(messageId, ['not the id of a content']));
  platform.clock.advance(1);
  await claim(lapsed, newId());
  await pass(SETTLED_MS + 1);
  expect([await references(broken), await references(lapsed)]).toEqual([1, 0]);

  platform.messages.set(messageId, messageWith(messageId, [broken.id]));
  const confirmed = () => count('select from content_message where app_id = $1 and confirmed');
  expect(await confirmed()).toBe(0);
  await pass(SETTLED_MS + 1);
  expect(await confirmed()).toBe(1);
});
