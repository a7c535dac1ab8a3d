import { mayLockAgain } from './locking.ts';

const CHOOSE = 'select id from job order by due_at limit 5 for update skip locked';

test.each([
  [CHOOSE, false],
  [`with chosen as (${CHOOSE}) delete from job using chosen where job.id = chosen.id`, false],
  [`with chosen as (select one.id from (${CHOOSE}) as one) delete from job using chosen`, false],
  [`delete from job where id = any (array(${CHOOSE}))`, false],
  [`delete from job where id in (${CHOOSE})`, true],
  [`update job set tries = 1 from (${CHOOSE}) as chosen where job.id = chosen.id`, true],
  [`with gone as (delete from job where id in (${CHOOSE}) returning id) select count(*) from gone`, true],
])('%s: %s', async (statement, expected) => {
  expect(await mayLockAgain(statement)).toBe(expected);
});
