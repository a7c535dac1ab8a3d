import type { Content } from '@parley/contract/gen/records';
import { ParleyError } from '../errors.ts';
import type { UploadRecord } from '../records/rows.ts';
import { FORMAT } from '../store/format.ts';
import { isTransient } from '../connection/http.ts';
import { backoff } from '../connection/waiting.ts';
import type { SendRequest } from './request.ts';
import { cancelBytes, sendBytes } from './send-bytes.ts';
import { filenameOf, type Upload, type UploadedPart, type UploadState } from './upload.ts';
import { createValue, type Value } from '../query/value.ts';

export type UploadContext = {
  readonly send: SendRequest;
  readonly fetch: typeof fetch;
  /** Waits before another try; less long if the network is back, or the application connects again. Milliseconds. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  keep(record: UploadRecord, file?: Blob): Promise<void>;
  isKept(id: string): Promise<boolean>;
  forget(id: string): Promise<void>;
  forgetFile(id: string): Promise<void> | Promise<undefined>;
};

type State = {
  record: UploadRecord;
  file: Blob | undefined;
  readonly value: Value<UploadState>;
  running: AbortController | undefined;
  readonly settled: PromiseWithResolvers<UploadedPart>;
};

const RETRY = { first: 1_000, longest: 60_000 };
/** How often an upload whose address is gone is begun anew. */
const FRESH_STARTS = 3;

/** An upload that begins or goes on at once, if the file is there. */
export function createUpload(
  ctx: UploadContext,
  record: UploadRecord,
  file: Blob | undefined,
  { isNew = false } = {},
): Upload {
  const settled = Promise.withResolvers<UploadedPart>();
  // A failed upload that nothing waits for would otherwise end the process, as an unhandled rejection.
  settled.promise.catch(() => undefined);
  const state: State = { record, file, value: createValue(firstState(record)), running: undefined, settled };
  if (record.isDone) finish(state);
  else if (file) void run(ctx, state, { isNew });
  return {
    ...state.value,
    id: record.id,
    pause() {
      if (stop(state)) update(state, { status: 'paused' });
    },
    resume(given) {
      if (given && !isSameFile(record, given)) throw new TypeError('This is another file.');
      state.file ??= given;
      if (!state.file) throw new TypeError('The file is needed.');
      const { status } = state.value.getSnapshot();
      if (status === 'paused' || status === 'failed') void run(ctx, state, { isNew: given !== undefined });
    },
    abort: () => abort(ctx, state),
    done: () => settled.promise,
    dismiss: () => ctx.forget(record.id),
  };
}

function firstState({ id, name, type, size, data, content }: UploadRecord): UploadState {
  return { id, name, type, size, data, status: 'paused', sent: 0, contentId: content?.id, error: undefined };
}

/** Returns whether it was running. */
function stop(state: State): boolean {
  const { running } = state;
  running?.abort();
  state.running = undefined;
  return running !== undefined;
}

function update(state: State, changes: Partial<UploadState>): void {
  state.value.set({ ...state.value.getSnapshot(), ...changes });
}

/** Sends until all bytes have arrived, the upload is refused, or it is stopped. One tab alone does so. */
async function run(ctx: UploadContext, state: State, { isNew }: { isNew: boolean }): Promise<void> {
  const running = new AbortController();
  const { signal } = running;
  state.running = running;
  update(state, { status: 'waiting', error: undefined });
  try {
    if (isNew) await ctx.keep(state.record, state.file);
    await exclusively(state.record.id, signal, async () => {
      // Another tab may have aborted it while this one waited.
      if (await ctx.isKept(state.record.id)) await sendWithRetries(ctx, state, signal);
      else await abort(ctx, state);
    });
    if (signal.aborted) return;
    state.record = { ...state.record, isDone: true };
    await ctx.keep(state.record);
    await ctx.forgetFile(state.record.id);
    finish(state);
  } catch (error) {
    if (signal.aborted) return;
    const reason =
      error instanceof ParleyError ? error : new ParleyError({ id: 'upload_failed' }, { cause: error });
    update(state, { status: 'failed', error: reason });
    state.settled.reject(reason);
  } finally {
    if (state.running === running) state.running = undefined;
  }
}

async function sendWithRetries(ctx: UploadContext, state: State, signal: AbortSignal): Promise<void> {
  let freshStarts = 0;
  for (let attempt = 0; ; attempt++) {
    const before = state.value.getSnapshot().sent;
    try {
      return await sendOnce(ctx, state, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ParleyError)) throw error;
      if (error.id === 'upload_gone' && freshStarts++ < FRESH_STARTS) {
        const { content: _, ...rest } = state.record;
        state.record = rest;
        continue;
      }
      // Another request writes to it at this moment.
      if (!isTransient(error) && error.id !== 'conflict') throw error;
      if (state.value.getSnapshot().sent > before) attempt = 0;
      update(state, { status: 'waiting', error });
      const pause = Math.max(backoff(attempt + 1, RETRY), (error.retryAfter ?? 0) * 1000);
      await ctx.wait(pause, signal);
      if (signal.aborted) return;
      update(state, { error: undefined });
    }
  }
}

async function sendOnce(ctx: UploadContext, state: State, signal: AbortSignal): Promise<void> {
  const { file } = state;
  if (!file) return;
  update(state, { status: 'uploading' });
  const { url } = state.record.content ?? (await announce(ctx, state, signal));
  await sendBytes({ fetch: ctx.fetch, url, file, signal, stored: (sent) => update(state, { sent }) });
}

/** Asks the platform for an address, and keeps it. */
async function announce(ctx: UploadContext, state: State, signal: AbortSignal): Promise<{ url: string }> {
  const { type, size } = state.record;
  const { origin } = globalThis as { origin?: string };
  const { body } = await ctx.send<Content>({
    method: 'POST',
    path: '/content',
    headers: {
      'upload-content-type': type,
      'upload-content-length': String(size),
      ...(origin?.startsWith('http') && { 'upload-origin': origin }),
    },
    signal,
  });
  const { id, upload_url: url } = body;
  if (url === null) throw new ParleyError({ id: 'invalid_answer' });
  state.record = { ...state.record, content: { id, url } };
  await ctx.keep(state.record);
  update(state, { contentId: id });
  return { url };
}

function finish(state: State): void {
  const { record, settled } = state;
  const filename = filenameOf(record);
  state.file = undefined;
  update(state, { status: 'done', sent: record.size, error: undefined });
  settled.resolve({
    mime_type: record.type,
    ...(filename && { filename }),
    content: { id: record.content?.id ?? '', size: record.size },
  });
}

async function abort(ctx: UploadContext, state: State): Promise<void> {
  if (state.value.getSnapshot().status === 'aborted') return;
  stop(state);
  update(state, { status: 'aborted' });
  state.settled.reject(new ParleyError({ id: 'upload_aborted' }));
  if (state.record.content && !state.record.isDone) await cancelBytes(ctx.fetch, state.record.content.url);
  await ctx.forget(state.record.id);
}

function isSameFile({ size, type }: UploadRecord, file: Blob): boolean {
  return (
    file.size === size &&
    (file.type === '' || type.startsWith('application/octet-stream') || file.type === type)
  );
}

/** Waits until no other tab runs an upload. */
export async function exclusively(id: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const { locks } = globalThis.navigator ?? {};
  if (!locks) return work();
  // eslint-disable-next-line no-restricted-syntax -- a name of a lock
  await locks.request(`parley/${FORMAT}/upload/${id}`, { signal }, work);
}
