import { newId } from '@parley/domain/ids';
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

test.each(Object.entries(kinds))('%s takes the share of its application alone', async (_, prepare) => {
  const [noisy, quiet] = [await upload(newId()), await upload(newId())];
  const call = await prepare(noisy);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const { shares, config } = platform.service.context;
  const filling = Array.from({ length: config.poolSize / 2 }, () => shares.run(noisy.appId, () => ended));
  let isDone = false;
  const waiting = call().then(() => (isDone = true));
  for (let round = 0; round < 5; round += 1) await (await prepare(quiet))();
  expect(isDone).toBe(false);
  end();
  await Promise.all([waiting, ...filling]);
});
