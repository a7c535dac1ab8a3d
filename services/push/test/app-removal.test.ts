import { expectRemoval } from '@parley/kit/testing/app-removal';
import { startPushes, type Platform } from './support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPushes();
});
afterAll(() => platform.stop());

test('a deleted application leaves nothing in any table', async () => {
  const deleteApp = (appId: string) => platform.publish({ appId, body: { case: 'appDeleted', value: {} } });
  await expectRemoval({
    ...{ db: platform.ctx.db, deleteApp, transient: ['erasure'] },
    pass: () => platform.clock.advance(5_000),
  });
}, 60_000);
