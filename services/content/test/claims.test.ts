import { newId } from '@parley/domain/ids';
import { expectProblem } from '@parley/domain/testing/problems';
import { createUpload } from './support/client.ts';
import { createLife, messageWith } from './support/life.ts';
import { startContent, type Platform } from './support/platform.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let platform: Platform;
const { uploaded, claim, isThere, references, pass } = createLife(() => platform);
beforeEach(async () => {
  platform = await startContent();
});
afterEach(() => platform.stop());

test('a claim without a message is dropped and its content removed a day later, and one with a message stays', async () => {
  const [lost, stored] = [await uploaded(), await uploaded()];
  const message = newId();
  platform.messages.set(message, messageWith(message, [stored.id]));
  await claim(lost, newId());
  await claim(stored, message);
  await pass(HOUR_MS - 1);
  expect([await isThere(lost), await isThere(stored)]).toEqual([true, true]);
  await pass(2);
  expect([await isThere(lost), await isThere(stored)]).toEqual([true, true]);
  await pass(DAY_MS - 1);
  expect([await isThere(lost), await isThere(stored)]).toEqual([true, true]);
  await pass(2);
  expect([await isThere(lost), await isThere(stored)]).toEqual([false, true]);
});

test('content claimed for a scheduled message is kept until it is sent, cancelled or dropped', async () => {
  const upload = await uploaded();
  const message = newId();
  platform.waiting.add(message);
  await claim(upload, message);
  await pass(3 * HOUR_MS);
  await pass(DAY_MS + 1);
  expect(await references(upload)).toBe(1);
  platform.waiting.delete(message);
  await pass(HOUR_MS + 1);
  expect(await references(upload)).toBe(0);
  await pass(DAY_MS - 1);
  expect(await isThere(upload)).toBe(true);
  await pass(2);
  expect(await isThere(upload)).toBe(false);
});

test('the id of a message that was cancelled may be used again, with the same content', async () => {
  const upload = await uploaded();
  const message = newId();
  await claim(upload, message);
  await pass(HOUR_MS + 1);
  expect(await references(upload)).toBe(0);
  platform.messages.set(message, messageWith(message, [upload.id]));
  await claim(upload, message);
  await pass(2 * DAY_MS);
  expect(await references(upload)).toBe(1);
});

test('claims succeed only for uploaded content of the application, all or none, and return the upload’s size', async () => {
  const upload = await uploaded(100);
  const half = await createUpload(platform, { size: 5, appId: upload.appId });
  const items = (...list: { contentId: string; size?: number }[]) => ({
    items: list.map((item, part) => ({ part, ...item })),
  });
  const refused = (request: object, property: string) =>
    expectProblem(claim(upload, newId(), request), 'invalid_property', { property });
  await refused(items({ contentId: upload.id }, { contentId: half.id }), 'parts.1.content.id');
  await refused({ ...items({ contentId: upload.id }), appId: newId() }, 'parts.0.content.id');
  const { items: found } = await platform.content.getContents({ appId: upload.appId, ids: [upload.id] });
  expect(found[0]?.references).toEqual([]);
  const { sizes } = await claim(
    upload,
    newId(),
    items({ contentId: upload.id }, ...[100, 99, 0].map((size) => ({ contentId: upload.id, size }))),
  );
  expect(sizes).toEqual([100, 100, 100, 100]);
});
