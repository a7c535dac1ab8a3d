import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@parley/domain/ids';
import type { Platform } from './platform.ts';

export const PIECE = 256 * 1024;

export type Upload = { appId: string; id: string; url: string; size: number };
export type Reply = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

type Asked = {
  size: number;
  appId?: string;
  userId?: string;
  contentType?: string;
  origin?: string;
  userIncarnation?: number;
  filename?: string;
};

type Service = Pick<Platform, 'content'>;

export async function createUpload({ content }: Service, asked: Asked): Promise<Upload> {
  const {
    size,
    appId = newId(),
    userId = 'alice',
    contentType = 'video/mp4',
    origin = '',
    userIncarnation = 0,
    filename = '',
  } = asked;
  const created = await content.createContent({
    ...{ appId, userId, userIncarnation, size, contentType, origin, filename },
  });
  return { appId, id: created.content?.id ?? '', url: created.uploadUrl, size };
}

type Request = { method?: string; headers?: Record<string, string>; body?: Uint8Array | ReadableStream };

export async function send(
  url: string,
  { method = 'PUT', headers = {}, body }: Request = {},
): Promise<Reply> {
  const streamed = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
  const response = await fetch(url, {
    ...{ method, headers, redirect: 'manual' },
    ...(body !== undefined && { body: body as RequestInit['body'] & {} }),
    ...streamed,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

/** Bytes `from` to `to` - 1 of the data, as a piece. `total` '*': not said. */
export function sendPiece(
  upload: Upload,
  data: Uint8Array,
  [from, to]: [number, number],
  total: number | '*' = data.length,
): Promise<Reply> {
  const headers = { 'content-range': `bytes ${from}-${to - 1}/${total}` };
  return send(upload.url, { headers, body: data.subarray(from, to) });
}

export function askStatus(upload: Upload, total: number | '*' = upload.size): Promise<Reply> {
  return send(upload.url, { headers: { 'content-range': `bytes */${total}`, 'content-length': '0' } });
}

/** How many bytes a reply says are stored. */
export function storedOf(reply: Reply): number {
  const range = reply.headers.get('range');
  return range === null ? 0 : Number(range.replace('bytes=0-', '')) + 1;
}

export function sha256(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

export function randomData(size: number): Buffer {
  return randomBytes(size);
}

/** The bytes that a receiver gets. */
export async function download(platform: Service, upload: Upload): Promise<Buffer> {
  const { items } = await platform.content.getContents({ appId: upload.appId, ids: [upload.id] });
  const response = await fetch(items[0]?.downloadUrl ?? '');
  if (response.status !== 200) throw new Error(`download: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}
