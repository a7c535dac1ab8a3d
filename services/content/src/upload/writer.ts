import type { BlobUpload, StoredPart } from '@parley/blobs/store';
import { GatheredBytes } from '@parley/kit/runtime/gathered-bytes';
import type { Context } from '../context.ts';
import { commitPart } from '../sql/content-part.ts';
import type { Lease, LeasedRow } from '../sql/upload-lease.ts';
import { failUploadBusy } from './lease.ts';

export type Writer = {
  /** Number of bytes committed so far. */
  readonly stored: number;
  /** Whether a piece is being sent to the store. */
  readonly isStoring: boolean;
  /** Adds bytes; resolves when the next ones may be added. */
  add(chunk: Uint8Array): Promise<void>;
  /** Commits all bytes that were added. */
  flush(): Promise<void>;
  /** Resolves when no piece is being sent any more, whether that succeeded or not. */
  settle(): Promise<void>;
};

type Options = { lease: Lease; row: LeasedRow; upload: BlobUpload; size: number; staged: StoredPart[] };

/**
 * Gathers bytes into pieces of the size that the store prefers. One piece is sent while the next is gathered, so an upload
 * takes the memory of two pieces. A piece counts once the store and the database have it. Problems: conflict,
 * service_unavailable.
 */
export function createWriter(ctx: Context, options: Options): Writer {
  const { lease, upload, size, row } = options;
  const { blobs } = ctx;
  let { stored, next_part: nextPart } = row;
  let staged = options.staged;
  const gathered = new GatheredBytes();
  let isStoring = false;
  let storing: Promise<void> = Promise.resolve();

  async function store(piece: Uint8Array[], bytes: number): Promise<void> {
    const before = stored;
    const after = before + bytes;
    const part = await blobs.append(upload, {
      number: nextPart,
      chunks: piece,
      staged,
      isLast: after === size,
    });
    if (!part.staged) nextPart += 1;
    const start = part.staged ? before : after - part.size;
    const commit = { lease, part, start, stored: { before, after }, nextPart, at: ctx.clock.now() };
    if (!(await commitPart(ctx.db, commit))) failUploadBusy();
    staged = part.staged ? [...staged, part] : [];
    stored = after;
  }

  async function send(): Promise<void> {
    await storing;
    const { size: bytes } = gathered;
    if (bytes === 0) return;
    isStoring = true;
    storing = store(gathered.take(), bytes).finally(() => (isStoring = false));
    // The next caller that awaits `storing` gets the failure.
    storing.catch(() => undefined);
  }

  return {
    get stored() {
      return stored;
    },
    get isStoring() {
      return isStoring;
    },
    async add(chunk) {
      if (gathered.size >= blobs.partBytes) await send();
      gathered.add(chunk);
    },
    async flush() {
      await send();
      await storing;
    },
    settle: () => storing.catch(() => undefined),
  };
}
