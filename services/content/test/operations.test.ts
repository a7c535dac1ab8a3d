import { randomUUID } from 'node:crypto';
import { randomData, send } from './support/client.ts';
import { expectProblem } from '@parley/domain/testing/problems';
import { startContent, type Platform } from './support/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startContent({ maxUploadsPerUser: 1 });
});
afterAll(() => platform.stop());

test.each(['alice', ''])(
  'a repeated request by "%s" gives the same upload, and there is one',
  async (userId) => {
    const asked = { appId: randomUUID(), userId, size: 10, contentType: 'video/mp4' };
    const call = { headers: { 'x-operation-id': randomUUID() } };
    const made = await Promise.all([1, 2, 3].map(() => platform.content.createContent(asked, call)));
    expect(new Set(made.map(({ content }) => content?.id)).size).toBe(1);
    expect(new Set(made.map(({ uploadUrl }) => uploadUrl)).size).toBe(1);
    const rows = await platform.db.query({
      text: 'select 1 from content where app_id = $1',
      values: [asked.appId],
    });
    expect(rows).toHaveLength(1);
    const upload = await send(made[2]!.uploadUrl, { body: randomData(10) });
    expect(upload.status).toBe(200);
  },
);

test('another request starts another upload, within the user’s limit', async () => {
  const asked = { appId: randomUUID(), userId: 'alice', size: 10, contentType: 'video/mp4' };
  const create = () => platform.content.createContent(asked, { headers: { 'x-operation-id': randomUUID() } });
  await create();
  await expectProblem(create(), 'rate_limit_exceeded');
});
