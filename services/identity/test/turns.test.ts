import { randomUUID } from 'node:crypto';
import { recordLeases } from '@parley/kit/testing/leases';
import { createFollowRequests } from '../src/timers/follow-requests.ts';
import { startIdentity, type Platform } from './platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startIdentity();
});
afterAll(() => platform.stop());

test('the follow request of a quiet application waits for one slice of a busy one', async () => {
  const leases = await recordLeases(platform.db, 'follow_request');
  const [busy, quiet] = [randomUUID(), randomUUID()];
  await platform.db.execute({
    text: `
      insert into follow_request (id, app_id, owner_user_id, target_user_ids, requested_at)
      select gen_random_uuid(), $1::uuid, 'ada', array['bob'], now() from generate_series(1, 50)
      union all select 'ffffffff-ffff-7fff-8fff-ffffffffffff', $2::uuid, 'ada', array['bob'], now()`,
    values: [busy, quiet],
  });
  await createFollowRequests(platform.service.context).run();
  const order = await leases();
  expect(order).toHaveLength(51);
  expect(order.indexOf(quiet)).toBeLessThanOrEqual(1);
});
