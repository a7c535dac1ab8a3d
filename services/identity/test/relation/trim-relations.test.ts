import { randomUUID } from 'node:crypto';
import { expectProblem } from '@parley/domain/testing/problems';
import { listenToEvents, startIdentity, type Platform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

const TABLES = ['membership', 'follow', 'block'];
const EACH = 5000;

/** This many memberships, follows and blocks of ada, and as many follows and blocks of ada by other users. */
async function insertRelations(appId: string): Promise<void> {
  const others = `from generate_series(1, ${EACH}) as n`;
  const statements = [
    `insert into membership (app_id, user_id, conversation_id, joined_seq, joined_at)
      select $1::uuid, 'ada', gen_random_uuid(), n, now() ${others}`,
    `insert into follow (app_id, owner_user_id, target_user_id, followed, decided_at)
      select $1::uuid, 'ada', 'user ' || n, true, now() ${others}
      union all select $1::uuid, 'user ' || n, 'ada', true, now() ${others}
      union all select $1::uuid, 'bob', 'user 1', true, now()`,
    `insert into block (app_id, owner_user_id, blocked_user_id, active)
      select $1::uuid, 'ada', 'user ' || n, false ${others}
      union all select $1::uuid, 'user ' || n, 'ada', n <= 4000 ${others}
      union all select $1::uuid, 'bob', 'user 1', true`,
  ];
  for (const text of statements) await platform.db.execute({ text, values: [appId] });
}

/** No statement may delete more rows, so that each ends within its timeout. */
async function refuseMany(): Promise<void> {
  await platform.db.execute({
    text: `
      create function refuse_many() returns trigger language plpgsql as $$
      begin
        if (select count(*) from gone) > 1000 then raise exception 'too many at once'; end if;
        return null;
      end $$`,
  });
  for (const table of TABLES)
    await platform.db.execute({
      text: `
        create trigger refuse_many after delete on ${table} referencing old table as gone
        for each statement execute function refuse_many()`,
    });
}

test('a user with very many relations is erased in bounded steps, and other users’ relations stay', async () => {
  const appId = randomUUID();
  const erase = () => platform.identity.eraseUser({ appId, userId: 'ada' });
  const left = (table: string) =>
    platform.db.execute({ text: `select from ${table} where app_id = $1`, values: [appId] });
  await expectProblem(erase(), 'not_found');
  await platform.identity.createIdentity({ identity: { appId, userId: 'ada', displayName: 'Ada' } });
  await insertRelations(appId);
  await refuseMany();
  const listener = await listenToEvents(platform.bus, appId);
  const first = await erase();
  expect(await Promise.all(TABLES.map(left))).toEqual([0, 1, 1]);
  // Active blocks are published as ended, with versions below the version of the erasure, which ends all of them.
  const isHeard = (kind: string) => listener.events.some(({ body }) => body.case === kind);
  for (let count = 1; !isHeard('userErased') || !isHeard('blockChanged'); count += 1)
    await listener.wait(count);
  const versions = listener.events.flatMap(({ body }) =>
    body.case === 'blockChanged' && !body.value.blocked ? [body.value.version] : [],
  );
  listener.close();
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.length).toBeLessThanOrEqual(4000);
  expect(Math.max(...versions)).toBeLessThan(first.blocksUntil);
  await platform.identity.createIdentity({ identity: { appId, userId: 'ada', displayName: 'Back' } });
  const { identities } = await platform.identity.findIdentities({ appId, userIds: ['ada'] });
  expect(identities).toMatchObject([{ deleted: false, incarnation: first.identity!.incarnation }]);
}, 60_000);
