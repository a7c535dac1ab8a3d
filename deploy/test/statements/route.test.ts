import { routeOf } from './route.ts';

const database = {
  catalog: new Map([
    ['message', ['app_id', 'id', 'text']],
    ['member', ['app_id', 'id', 'user_id']],
    ['outbox', ['id', 'app_id']],
    ['app', ['id', 'name']],
  ]),
  appTables: new Set(['message', 'member']),
};

test.each([
  ['select text from message where app_id = $1 and id = $2'],
  ['select text from message m where (m.app_id, m.id) = ($1::uuid, $2)'],
  ['insert into message (id, app_id) values ($2, $1)'],
  ['insert into message values ($1, $2, $3), ($1, $4, $5)'],
  ['update message m set text = $2 from member p where p.app_id = $1 and m.app_id = p.app_id'],
  ['delete from message using member where message.app_id = member.app_id and member.app_id = $1'],
  ['select from message m join member p using (app_id) where m.app_id = $1'],
  ['select from message m left join member p on p.app_id = m.app_id where m.app_id = $1'],
  ['select from message m left join member p on p.app_id = $1 where m.app_id = $1'],
  ['select from message m where app_id = $1 and exists (select from member p where p.app_id = m.app_id)'],
  [
    'select from message m cross join lateral (select * from member p where p.app_id = m.app_id offset 0) p where m.app_id = $1',
  ],
  ['select from (select * from message) m where m.app_id = $1'],
  ['with m as (select * from message where app_id = $1) select from m join member p on p.app_id = m.app_id'],
  [
    'with gone as (delete from message where app_id = $1 returning *) insert into member select app_id, id from gone',
  ],
  ['select from message where app_id = $1 union select from member where app_id = $1'],
  ['select from message join app on app.id = message.app_id where message.app_id = $1'],
  [
    'delete from message where app_id = $1 and ctid = any (array(select ctid from message where app_id = $1))',
  ],
  ['select from message where created_at > now() - interval $2 and app_id = $1'],
  [
    `with recursive page as (
      select app_id, id from message where app_id = $1
      union all select m.app_id, m.id from page join message m on m.app_id = page.app_id and m.id > page.id)
    select from page join member p on p.app_id = page.app_id`,
  ],
])('one application: %s', async (statement) => {
  expect(await routeOf(statement, database)).toBe('one');
});

test.each([
  ['select from message m join unnest($1::uuid[], $2::uuid[]) as row (app_id, id) on m.app_id = row.app_id'],
  ['select from message where app_id = any ($1::uuid[])'],
  [
    'select from message where (app_id, id) in (select * from unnest($1::uuid[], $2::uuid[]) as row (app_id, id))',
  ],
  ['select from message where app_id in ($1, $2)'],
  [
    'insert into message (app_id, id) select distinct app_id, id from unnest($1::uuid[], $2::uuid[]) as row (app_id, id)',
  ],
  ['insert into message values ($1, $2, $3), ($4, $5, $6)'],
  ['select from message m, member p where m.app_id = $1 and p.app_id = $2'],
  [
    'with app as (select * from unnest($1::uuid[]) as id) update message set text = $2 from app where app_id = app.id',
  ],
])('several applications that the caller gives: %s', async (statement) => {
  expect(await routeOf(statement, database)).toBe('given');
});

test.each([
  ['select from message where id = $1'],
  ['select from message where app_id > $1'],
  ['select from message where app_id = $1 or id = $2'],
  ['select from message where not app_id = $1'],
  ['select from message where $1::uuid is null or app_id = $1'],
  ['insert into message (id) values ($1)'],
  ['select from message m join member p on p.app_id = m.app_id'],
  ['select from message m left join member p on p.app_id = m.app_id and m.app_id = $1'],
  ['select from message m left join member p on p.app_id = m.app_id and p.app_id = $1'],
  ['select from message m full join member p on p.app_id = m.app_id and m.app_id = $1 and p.app_id = $1'],
  ['select from message m where exists (select from member p where p.app_id = m.app_id and p.app_id = $1)'],
  ['select from message m where m.app_id = $1 and exists (select from member p where p.id = m.id)'],
  ['select from (select * from message order by id limit 10) m where m.app_id = $1'],
  ['with m as (select * from message) select from m where m.app_id = $1'],
  ['select from message where app_id = $1 union select from member'],
  ['delete from message where ctid = any (array(select ctid from message where app_id = $1))'],
  ['delete from message where app_id in (select app_id from member)'],
  ['insert into message (app_id) select app_id from member'],
  ['select from message m, unnest(m.ids) as other (app_id) where m.app_id = other.app_id'],
  [
    `with recursive app as (
      select app_id from message where app_id = $1
      union all select m.app_id from app join message m on m.app_id > app.app_id)
    select from app`,
  ],
])('all applications: %s', async (statement) => {
  expect(await routeOf(statement, database)).toBe('all');
});

test('a statement without tables of applications names none, beside them they do not matter', async () => {
  expect(await routeOf('select from outbox join app on true', database)).toBe('none');
  expect(await routeOf('select from pg_class', database)).toBe('none');
  const both = 'with m as (insert into message values ($1, $2, $3)) insert into outbox values ($4)';
  expect(await routeOf(both, database)).toBe('one');
  expect(await routeOf('with m as (delete from message) insert into outbox values ($1)', database)).toBe(
    'all',
  );
});

test('a statement that is not understood is refused', async () => {
  await expect(routeOf('selec 1', database)).rejects.toThrow('syntax error');
  await expect(
    routeOf('merge into message using member on true when matched then delete', database),
  ).rejects.toThrow('MergeStmt');
});
