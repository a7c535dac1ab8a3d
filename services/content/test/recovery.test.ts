import { newId } from '@parley/domain/ids';
import { randomData, send, type Upload } from './support/client.ts';
import { conversationOf, createLife, messageWith } from './support/life.ts';
import { startContent, type Platform } from './support/platform.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let platform: Platform;
const { uploaded, claim, isThere, references, pass } = createLife(() => platform);
beforeEach(async () => {
  platform = await startContent();
});
afterEach(() => platform.stop());

/** A message that messaging has, with a content. */
function stored({ appId, id }: Pick<Upload, 'appId' | 'id'>, message = newId()) {
  platform.messages.set(message, messageWith(message, [id]));
  const contents = [{ id, mimeType: 'image/png' }];
  return {
    appId,
    id: message,
    conversationId: conversationOf({ appId } as Upload),
    senderId: 'alice',
    contents,
  };
}

/** Deletes rows that a database of an earlier moment lacks. */
async function forget(table: 'content' | 'content_message' | 'content_reference'): Promise<void> {
  await platform.db.execute({ text: `delete from ${table}` });
}

test('a claim that was lost is made again, so that the content stays', async () => {
  const upload = await uploaded();
  const messages = [stored(upload)];
  await platform.db.execute({ text: 'update content set unreferenced_since = uploaded_at' });
  for (const _ of [1, 2])
    expect(await platform.recovery.adoptContents({ messages })).toMatchObject({
      referredCount: 1,
      enteredCount: 0,
    });
  await pass(HOUR_MS + 1);
  await pass(DAY_MS + 1);
  expect([await isThere(upload), await references(upload)]).toEqual([true, 1]);
});

test('a content without a row is entered again if the store has it, and is reported otherwise', async () => {
  const upload = await uploaded(300);
  const gone = { appId: upload.appId, id: newId() };
  await forget('content');
  const answer = await platform.recovery.adoptContents({ messages: [stored(upload), stored(gone)] });
  expect(answer).toMatchObject({ referredCount: 1, enteredCount: 1, missingIds: [gone.id] });
  const { items } = await platform.content.getContents({ appId: upload.appId, ids: [upload.id] });
  expect(items).toMatchObject([{ content: { size: 300, contentType: 'image/png' } }]);
  await pass(DAY_MS + HOUR_MS);
  expect(await isThere(upload)).toBe(true);
});

test('a content of a message of an earlier incarnation of the sender is neither entered nor counted', async () => {
  const upload = await uploaded(300);
  const message = stored(upload);
  await platform.recovery.adoptContents({ messages: [{ ...message, senderIncarnation: 5 }] });
  await forget('content');
  const messages = [{ ...message, senderIncarnation: 2 }];
  const answer = await platform.recovery.adoptContents({ messages });
  expect(answer).toMatchObject({ referredCount: 0, enteredCount: 0, missingIds: [] });
  const { items } = await platform.content.getContents({ appId: upload.appId, ids: [upload.id] });
  expect(items).toEqual([]);
});

test('an upload that ended after the moment counts as ended', async () => {
  const upload = await uploaded();
  await platform.db.execute({ text: 'update content set status = 1, stored = 0, uploaded_at = null' });
  await platform.recovery.adoptContents({ messages: [stored(upload)] });
  expect(await isThere(upload)).toBe(true);
  expect((await send(upload.url, { body: randomData(100) })).status).toBe(200);
});

test('the content of a message whose deletion messaging has lost is there again while the store has it', async () => {
  const upload = await uploaded();
  const message = stored(upload);
  await claim(upload, message.id);
  const since = platform.clock.now();
  await platform.db.execute({ text: 'update content_message set deleted_at = now()' });
  await platform.db.execute({ text: 'delete from content_reference' });
  await platform.db.execute({ text: 'update content set status = 5, ended_at = now()' });
  const { messages } = await platform.recovery.listReleasedMessages({ since: since - HOUR_MS });
  expect(messages).toMatchObject([{ appId: upload.appId, id: message.id }]);
  await platform.recovery.adoptContents({ messages: [message] });
  expect([await isThere(upload), await references(upload)]).toEqual([true, 1]);
  expect((await platform.recovery.listReleasedMessages({ since: since - HOUR_MS })).messages).toEqual([]);
});
