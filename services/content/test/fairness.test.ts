import { newId } from '@parley/domain/ids';
import { until } from '@parley/testing';
import { createUpload, randomData, send, type Upload } from './support/client.ts';
import { startContent, type Platform } from './support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startContent();
});
afterAll(() => platform.stop());

async function upload(appId: string): Promise<Upload> {
  const made = await createUpload(platform, { appId, size: 10 });
  await send(made.url, { body: randomData(10) });
  return made;
}

/** Each prepares a call that is about a content of an application. */
const kinds: Record<string, (of: Upload) => Promise<() => Promise<unknown>>> = {
  'an upload that is asked for': async ({ appId }) => {
    return () => createUpload(platform, { appId, size: 10 });
  },
  'a claim for a message': async ({ appId, id: contentId }) => {
    const message = { appId, conversationId: newId(), messageId: newId(), senderId: 'alice' };
    return () => platform.content.claimContents({ ...message, items: [{ contentId, part: 0 }] });
  },
  'a list of contents': async ({ appId, id }) => {
    return () => platform.content.getContents({ appId, ids: [id] });
  },
  'bytes that come': async ({ appId }) => {
    const { url } = await createUpload(platform, { appId, size: 10 });
    return () => send(url, { body: randomData(10) });
  },
  'a cancelled upload': async ({ appId }) => {
    const { url } = await createUpload(platform, { appId, size: 10 });
    return () => send(url, { method: 'DELETE' });
  },
  'a download': async ({ appId, id }) => {
    const { items } = await platform.content.getContents({ appId, ids: [id] });
    return () => send(items[0]?.downloadUrl ?? '', { method: 'GET' });
  },
};

/** Takes all of an application's share; the result gives it back. */
function fillShare(appId: string): () => Promise<unknown> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { shares, config } = platform.service.context;
  const filling = Array.from({ length: config.poolSize / 2 }, () => shares.run(appId, () => ended));
  return () => (end(), Promise.all(filling));
}

test.each(Object.entries(kinds))('%s takes the share of its application alone', async (_, prepare) => {
  const [noisy, quiet] = [await upload(newId()), await upload(newId())];
  const call = await prepare(noisy);
  const giveBack = fillShare(noisy.appId);
  let isDone = false;
  const waiting = call().then(() => (isDone = true));
  for (let round = 0; round < 5; round += 1) await (await prepare(quiet))();
  expect(isDone).toBe(false);
  await Promise.all([waiting, giveBack()]);
});

test('uploads and downloads wait for their share no longer than other requests', async () => {
  const { appId, id } = await upload(newId());
  const { items } = await platform.content.getContents({ appId, ids: [id] });
  const fresh = await createUpload(platform, { appId, size: 10 });
  const giveBack = fillShare(appId);
  const replies = await Promise.all([
    send(fresh.url, { body: randomData(10) }),
    send(fresh.url, { method: 'DELETE' }),
    send(items[0]?.downloadUrl ?? '', { method: 'GET' }),
  ]);
  for (const { status, headers } of replies) {
    const told = [status, headers.get('retry-after'), headers.get('ratelimit')];
    expect(told).toEqual([429, '1', '"concurrency";r=0;t=1']);
  }
  await giveBack();
  expect((await send(fresh.url, { body: randomData(10) })).status).toBe(200);
});

test('an upload stops waiting for its share when its client disconnects', async () => {
  const { url, appId } = await createUpload(platform, { appId: newId(), size: 10 });
  const { transfers } = platform.service.context;
  const giveBack = fillShare(appId);
  const client = new AbortController();
  const sent = fetch(url, { method: 'PUT', body: randomData(10), signal: client.signal }).catch(() => 'left');
  await until(() => (transfers.active === 1 ? true : undefined), {
    withinMs: 5_000,
    what: 'the upload waits',
  });
  client.abort();
  expect(await sent).toBe('left');
  await until(() => (transfers.active === 0 ? true : undefined), { withinMs: 2_000, what: 'the wait ends' });
  await giveBack();
});
