import { createHash, randomBytes } from 'node:crypto';
import { request } from 'undici';
import { uuidOf } from '../../test/support/app.ts';
import type { Client } from '../faults/client.ts';
import type { History } from '../faults/history.ts';
import type { Round } from '../faults/round.ts';

/** Content that was sent: the id of its message, and the hash of its bytes. */
export type Uploaded = { message: string; hash: string };

/** The result of downloading a message's content; without a hash if the download failed. */
export type Downloaded = { message: string; hash?: string };

const BYTES = 60_000;
const COUNT = 5;

/** Sends messages with uploaded content to the first shared conversation, and notes them in the history. */
export async function sendContent({ users: { ada }, shared }: Round, history: History): Promise<Uploaded[]> {
  const [conversation = ''] = shared;
  const uploaded: Uploaded[] = [];
  for (let count = 0; count < COUNT; count++) {
    const bytes = randomBytes(BYTES);
    const headers = { 'upload-content-type': 'image/png', 'upload-content-length': String(BYTES) };
    const { body: begun } = await ada.call('POST', '/content', 201, { headers });
    await (await request(begun.upload_url, { method: 'PUT', body: bytes })).body.dump();
    const part = { mime_type: 'image/png', content: { id: begun.id, size: BYTES } };
    const path = `/conversations/${conversation}/messages`;
    const { body } = await ada.call('POST', path, 201, { body: { parts: [part] } });
    const message = uuidOf(body.id);
    const where = { conversation, sender: ada.id, position: body.position };
    history.sent.push({ id: message, ...where, hiddenFrom: [], deleted: false });
    uploaded.push({ message, hash: hashOf(bytes) });
  }
  return uploaded;
}

/** Downloads the content of those messages again, as another participant. */
export async function downloadAll(
  { users: { bob } }: Round,
  client: Client,
  uploaded: readonly Uploaded[],
): Promise<Downloaded[]> {
  const authorization = `Svc session-token="${bob.token}"`;
  const downloaded: Downloaded[] = [];
  for (const { message } of uploaded) {
    const read = { method: 'GET', path: `/messages/${message}`, authorization, expected: [200, 404] };
    const { body } = await client(read);
    const url: string | undefined = body?.parts?.[0]?.content?.download_url;
    const answer = url ? await request(url) : undefined;
    const bytes = new Uint8Array((await answer?.body.arrayBuffer()) ?? []);
    downloaded.push(answer?.statusCode === 200 ? { message, hash: hashOf(bytes) } : { message });
  }
  return downloaded;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
