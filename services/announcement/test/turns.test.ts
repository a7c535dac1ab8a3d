import { newId } from '@parley/domain/ids';
import { recordLeases } from '@parley/kit/testing/leases';
import { until } from '@parley/testing';
import { createAnnouncement, untilEmpty } from './support/actions.ts';
import { startAnnouncement, type TestAnnouncement } from './support/service.ts';

let service: TestAnnouncement;

beforeAll(async () => {
  service = await startAnnouncement();
});
afterAll(() => service.stop());

function db() {
  return service.ctx.db;
}

async function create(appId: string, recipients: string[], sender = 'herald'): Promise<string> {
  return (await createAnnouncement(service, { appId, recipients, sender })).announcement!.id;
}

test('an announcement of a quiet application waits for one slice of a busy one, not for its backlog', async () => {
  const leases = await recordLeases(db(), 'fan_out');
  const [busy, quiet] = [newId(), newId()];
  await db().execute({
    text: `
      insert into fan_out (app_id, announcement_id, slice, sent_at, user_ids)
      select $1::uuid, gen_random_uuid(), 0, now() - interval '1 hour', array['user-' || n]
      from generate_series(1, 80) as n
      union all select $2::uuid, gen_random_uuid(), 0, now(), array['ada']`,
    values: [busy, quiet],
  });
  await untilEmpty(service, 'fan_out');
  const order = await leases.of(quiet, busy);
  expect(order).toHaveLength(81);
  await leases.expectTurn(quiet, busy);
}, 60_000);

test('the erasure of a quiet application waits for one step of a busy one', async () => {
  const leases = await recordLeases(db(), 'erasure');
  const [busy, quiet] = [newId(), newId()];
  await db().execute({
    text: `
      insert into erasure (app_id, user_id, requested_at)
      select $1::uuid, 'user-' || n, now() - interval '1 hour' from generate_series(1, 50) as n
      union all select $2::uuid, 'ada', now()`,
    values: [busy, quiet],
  });
  await untilEmpty(service, 'erasure');
  await leases.expectTurn(quiet, busy);
}, 60_000);

test('an erasure that fails waits by itself, and other users of its application are erased', async () => {
  const appId = newId();
  const deleted = await create(appId, ['ada', 'bob']);
  await untilEmpty(service, 'fan_out');
  await db().execute({
    text: `create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
  });
  await db().execute({
    text: `create trigger refuse before delete on received for each row when (old.user_id = 'ada')
      execute function refuse()`,
  });
  await db().execute({
    text: `insert into erasure (app_id, user_id, requested_at)
      values ($1, 'ada', now() - interval '1 hour'), ($1, 'bob', now())`,
    values: [appId],
  });
  const received = () =>
    db().query({
      text: 'select user_id from received where app_id = $1 and announcement_id = $2',
      values: [appId, deleted],
    });
  await until(async () => (await received()).length === 1 || undefined, {
    withinMs: 10_000,
    what: 'the other user is erased',
  });
  expect(await received()).toEqual([{ user_id: 'ada' }]);
  await db().execute({ text: 'drop trigger refuse on received' });
  await untilEmpty(service, 'erasure');
  expect(await received()).toEqual([]);
}, 60_000);
