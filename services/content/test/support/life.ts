import { newId } from '@parley/domain/ids';
import { createUpload, randomData, send, type Upload } from './client.ts';
import type { Platform } from './platform.ts';

/** Uploads, claims and the passing of time, on the current platform. */
export function createLife(now: () => Platform) {
  async function uploaded(size = 100, appId = newId(), more = {}): Promise<Upload> {
    const upload = await createUpload(now(), { size, appId, ...more });
    expect((await send(upload.url, { body: randomData(size) })).status).toBe(200);
    return upload;
  }

  function claim(upload: Upload, messageId: string, more = {}) {
    return now().content.claimContents({
      ...{ appId: upload.appId, conversationId: conversationOf(upload), messageId, senderId: 'alice' },
      items: [{ part: 0, contentId: upload.id, size: upload.size }],
      ...more,
    });
  }

  async function isThere({ appId, id }: Upload): Promise<boolean> {
    return (await now().content.getContents({ appId, ids: [id] })).items.length > 0;
  }

  /** How many messages refer to a content. */
  async function references({ appId, id }: Upload): Promise<number | undefined> {
    return (await now().content.getContents({ appId, ids: [id] })).items[0]?.references.length;
  }

  /** Advances the clock and runs what is due. */
  async function pass(ms: number): Promise<void> {
    const { clock, db, jobs } = now();
    clock.advance(ms);
    await jobs.verify();
    await jobs.collect();
    // The service's own run may be at work on contents, which the one above leaves out.
    await db.query({ text: 'select from content for update' });
    await jobs.purge();
  }

  return { uploaded, claim, isThere, references, pass };
}

export function conversationOf({ appId }: Upload): string {
  return appId;
}

export function messageWith(id: string, contentIds: string[]) {
  const parts = contentIds.map((contentId) => ({ content: { id: contentId } }));
  return { message: { id, parts } };
}
