import type { BlobUpload, StoredPart } from '@parley/blobs/store';
import type { Context } from '../context.ts';
import { commitPart } from '../sql/content-part.ts';
import type { Lease, LeasedRow } from '../sql/upload-lease.ts';
import { failUploadBusy } from './lease.ts';

export type Writer = {
  /** Committed so far. */
  readonly stored: number;
  /** Whether bytes are on their way to the store. */
  readonly isStoring: boolean;
  /** Resolves when there is room for more. */
  add(chunk: Uint8Array): Promise<void>;
  /** Commits what was added. */
  flush(): Promise<void>;
  /** Resolves when nothing is on its way any more, however that ended. */
  settle(): Promise<void>;
};

type Options = { lease: Lease; row: LeasedRow; upload: BlobUpload; size: number; staged: StoredPart[] };

/**
 * Gathers bytes into pieces that suit the store; one piece is on its way while the next one is gathered, so an upload takes
 * two pieces of memory. A piece counts once it is in the store and in the database. Problems: conflict, service_unavailable.
 */
export function createWriter(ctx: Context, options: Options): Writer {
  const { lease, upload, size, row } = options;
  const { blobs } = ctx;
  let { stored, next_part: nextPart } = row;
  let staged = options.staged;
  let chunks: Uint8Array[] = [];
  let gathered = 0;
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
    if (gathered === 0) return;
    isStoring = true;
    storing = store(chunks, gathered).finally(() => (isStoring = false));
    // Whoever waits for it next hears of a failure.
    storing.catch(() => undefined);
    chunks = [];
    gathered = 0;
  }

  return {
    get stored() {
      return stored;
    },
    get isStoring() {
      return isStoring;
    },
    async add(chunk) {
      if (gathered >= blobs.partBytes) await send();
      chunks.push(chunk);
      gathered += chunk.length;
    },
    async flush() {
      await send();
      await storing;
    },
    settle: () => storing.catch(() => undefined),
  };
}
