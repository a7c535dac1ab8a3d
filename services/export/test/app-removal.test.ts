import { createTestClock } from '@parley/kit/runtime/clock';
import { expectRemoval } from '@parley/kit/testing/app-removal';
import { publish, startExports, type TestExports } from './support/service.ts';

const clock = createTestClock(Date.now());
let service: TestExports;

beforeAll(async () => {
  service = await startExports({ clock });
});
afterAll(() => service.stop());

test('a deleted application leaves nothing in any table', async () => {
  const deleteApp = (appId: string) =>
    publish(service, [{ appId, createdAt: clock.now(), body: { case: 'appDeleted', value: {} } }]);
  await expectRemoval({
    ...{ db: service.ctx.db, deleteApp, transient: ['export_blob'] },
    pass: () => clock.advance(5_000),
  });
}, 60_000);
