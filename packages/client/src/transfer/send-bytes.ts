import { moreOf } from '../connection/http.ts';
import { answeredWith, unanswered } from '../errors.ts';

const TUS = { 'tus-resumable': '1.0.0' };
const FIRST_PIECE_BYTES = 256 * 1024;
const LARGEST_PIECE_BYTES = 8 * 1024 * 1024;
/** A piece that takes less is followed by one of twice the size. */
const QUICK_MS = 1_000;

export type SendBytes = {
  readonly fetch: typeof fetch;
  /** Address of the upload, which is itself the authorization. */
  readonly url: string;
  readonly file: Blob;
  readonly signal: AbortSignal;
  /** Called after each piece with the number of bytes that are stored. */
  stored(bytes: number): void;
};

/**
 * Sends what the platform does not have yet of a file, in pieces, by tus.
 *
 * @throws ParleyError `network_error` and others that pass, after which it may be called again; `upload_gone` if the platform knows
 *   the upload no more; others for good.
 */
export async function sendBytes(given: SendBytes): Promise<void> {
  const { file, stored } = given;
  let offset = await ask(given, { method: 'HEAD', headers: TUS });
  stored(offset);
  let size = FIRST_PIECE_BYTES;
  let isComplete = false;
  while (!isComplete) {
    const begun = performance.now();
    offset = await ask(given, {
      method: 'PATCH',
      headers: { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      body: file.slice(offset, offset + size),
    });
    stored(offset);
    // An empty file is complete after its one piece, which is empty.
    isComplete = offset === file.size;
    if (performance.now() - begun < QUICK_MS) size = Math.min(size * 2, LARGEST_PIECE_BYTES);
  }
}

/** The number of bytes that the platform has stored. */
async function ask({ fetch, url, signal }: SendBytes, init: RequestInit): Promise<number> {
  const response = await fetch(url, { ...init, signal }).catch(unanswered);
  const { status, headers } = response;
  await response.body?.cancel();
  const offset = headers.get('upload-offset');
  // 409: a piece before arrived after all; its offset counts.
  if ((response.ok || status === 409) && offset !== null) return Number(offset);
  const id = ERRORS[status] ?? (status >= 500 ? 'service_unavailable' : 'invalid_answer');
  throw answeredWith(id, moreOf(response));
}

const ERRORS: Readonly<Record<number, string>> = {
  404: 'upload_gone',
  410: 'upload_gone',
  408: 'request_timeout',
  // Another request is writing, such as one whose connection the platform has not given up yet.
  423: 'conflict',
  429: 'rate_limit_exceeded',
};

/** Has the platform drop an upload; does nothing if it is complete or gone. */
export async function cancelBytes(fetchWith: typeof fetch, url: string): Promise<void> {
  await fetchWith(url, { method: 'DELETE', headers: TUS }).catch(() => undefined);
}
