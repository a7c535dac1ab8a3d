import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { request, type Dispatcher } from 'undici';
import { uuidOf } from '../../test/support/app.ts';
import { until } from '../../test/support/until.ts';
import type { Client } from './client.ts';
import type { Sent } from './history.ts';
import type { Round } from './round.ts';

/** A content: its id, and the hash of its bytes. */
export type Content = { id: string; hash: string; size: number };

const SIZE = 100 * 1024;
/** Size of a piece sent by tus, which takes any size. Bytes. */
const PIECE = 40 * 1024;
const PAUSE_MS = 300;
const RETRY_MS = 50;
const ANSWERED_WITHIN_MS = 10_000;
const GIVE_UP_MS = 90_000;
/** Statuses after which the client asks how far the upload is: another offset, another writer, too many, unavailable. */
const AGAIN = [409, 423, 429, 503];

type Work = { round: Round; client: Client; contents: Content[]; sent: Sent[] };

/** Uploads a content in pieces, now by tus to its end, now with `Content-Range` after the first piece, and sends it. */
export function uploader({ round, client, contents, sent }: Work): () => Promise<void> {
  const { ada } = round.users;
  const authorization = `Svc session-token="${ada.token}"`;
  let turn = 0;
  return async () => {
    turn += 1;
    const data = randomBytes(SIZE - turn);
    const { body: asked } = await client({
      ...{ method: 'POST', path: '/content', authorization, expected: [201] },
      headers: {
        'idempotency-key': randomUUID(),
        'upload-content-type': 'application/octet-stream',
        'upload-content-length': String(data.length),
      },
    });
    await upload(asked.upload_url, data, turn % 2 === 0);
    const content = { id: uuidOf(asked.id), hash: hashOf(data), size: data.length };
    const id = randomUUID();
    const begunAt = Date.now();
    // Ada sends to this conversation nowhere else: the checker expects the messages of a sender in the order of their answers.
    const conversation = round.guests;
    const part = { mime_type: 'application/octet-stream', content: { id: asked.id, size: data.length } };
    const { status, body } = await client({
      ...{ method: 'POST', path: `/conversations/${conversation}/messages`, authorization },
      ...{ body: { id, parts: [part] }, expected: [201, 409] },
    });
    const { position } = status === 409 ? body.data : body;
    sent.push({ id, conversation, sender: ada.id, position, hiddenFrom: [], deleted: false, begunAt });
    contents.push(content);
    await pause(PAUSE_MS);
  };
}

/** Resumes after each failure where the service says that the upload is. */
async function upload(url: string, data: Buffer, byRange: boolean): Promise<void> {
  const end = Date.now() + GIVE_UP_MS;
  let last = 'no answer';
  while (Date.now() < end) {
    const stored = await askOffset(url);
    if (stored !== undefined) {
      const answer = await sendFrom(url, data, stored, byRange);
      if (answer?.statusCode === 200 || stored === data.length) return;
      if (answer) last = String(answer.statusCode);
      if (answer && answer.statusCode !== 204 && !AGAIN.includes(answer.statusCode))
        throw new Error(`an upload was answered with ${last}`);
      if (answer?.statusCode === 204) continue;
    }
    await pause(RETRY_MS);
  }
  throw new Error(`an upload was not complete within ${GIVE_UP_MS} ms: ${last}`);
}

/** Undefined when the service cannot say. */
async function askOffset(url: string): Promise<number | undefined> {
  const answer = await ask(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
  if (!answer || AGAIN.includes(answer.statusCode)) return undefined;
  if (answer.statusCode === 200) return Number(answer.headers['upload-offset']);
  throw new Error(`the offset of an upload was answered with ${answer.statusCode}`);
}

function sendFrom(url: string, data: Buffer, stored: number, byRange: boolean): Promise<Answer | undefined> {
  if (stored === data.length) return Promise.resolve(undefined);
  if (byRange && stored > 0) {
    const range = `bytes ${stored}-${data.length - 1}/${data.length}`;
    return ask(url, { method: 'PUT', headers: { 'content-range': range }, body: data.subarray(stored) });
  }
  const headers = {
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(stored),
  };
  return ask(url, { method: 'PATCH', headers, body: data.subarray(stored, stored + PIECE) });
}

type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

/** Undefined when the connection was lost: what became of the request is not known. */
async function ask(url: string, options: Parameters<typeof request>[1]): Promise<Answer | undefined> {
  try {
    const timeouts = { headersTimeout: ANSWERED_WITHIN_MS, bodyTimeout: ANSWERED_WITHIN_MS };
    const { statusCode, headers, body } = await request(url, { ...options, ...timeouts });
    await body.dump();
    return { statusCode, headers };
  } catch {
    return undefined;
  }
}

/** Downloads a content by an address that the platform gives out now; undefined when it is not there. */
async function download(round: Round, client: Client, id: string): Promise<Content | undefined> {
  const { token } = round.users.ada;
  const { status, body: shown } = await client({
    ...{ method: 'GET', path: `/content/${id}`, expected: [200, 404] },
    authorization: `Svc session-token="${token}"`,
  });
  if (status === 404) return undefined;
  return until(`content ${id} is downloaded`, async () => {
    const data = await fetchAll(shown.download_url);
    return data && { id, hash: hashOf(data), size: data.length };
  });
}

async function fetchAll(url: string): Promise<Buffer | undefined> {
  try {
    const { statusCode, body } = await request(url);
    const data = Buffer.from(await body.arrayBuffer());
    return statusCode === 200 ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Downloads the contents that are there. */
export async function downloadAll(
  round: Round,
  client: Client,
  contents: readonly Content[],
): Promise<Content[]> {
  const found: Content[] = [];
  for (const { id } of contents) {
    const there = await download(round, client, id).catch(() => undefined);
    if (there) found.push(there);
  }
  return found;
}

/** Every content that was acknowledged is there with the same bytes. */
export function checkContents(acknowledged: readonly Content[], found: readonly Content[]): string[] {
  const there = new Map(found.map((one) => [one.id, one]));
  return acknowledged.flatMap(({ id, hash, size }) => {
    const one = there.get(id);
    if (!one) return [`content ${id} is lost`];
    if (one.size !== size) return [`content ${id} has ${one.size} bytes instead of ${size}`];
    return one.hash === hash ? [] : [`content ${id} has other bytes`];
  });
}

function hashOf(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
