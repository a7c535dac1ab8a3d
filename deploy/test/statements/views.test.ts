import { faultsBehindViews } from './views.ts';

test.each([
  [
    'insert into item (id) values ($1) on conflict on constraint item_pkey do nothing',
    'names a constraint in "on conflict"',
  ],
  ['select tableoid from item', 'uses tableoid'],
  ['select i.tableoid::regclass from item i', 'uses tableoid'],
  [
    'select i.id, i.name from item i group by i.id',
    'selects a column that is grouped only by the key of its table',
  ],
  [
    'with a as (select id, name || $1, count(*) from item group by id) select * from a',
    'selects a column that is grouped only by the key of its table',
  ],
])('%s', async (text, fault) => {
  expect(await faultsBehindViews(text)).toEqual([fault]);
});

test.each([
  ['insert into item (id) values ($1) on conflict (id) do update set name = excluded.name'],
  ['select i.id, array_agg(i.name order by i.name), max(i.at) from item i group by i.id'],
  ['select i.id, lower(i.name) from item i group by i.id, i.name'],
  ['select id, (select count(*) from other o where o.item_id = item.id) from item group by id'],
  ['select ctid, xmax from item for update'],
  ['delete from item where ctid = any (array(select ctid from item limit 5))'],
])('%s works on a view', async (text) => {
  expect(await faultsBehindViews(text)).toEqual([]);
});
