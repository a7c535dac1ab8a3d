import type { List, Query } from '../query/query.ts';
import type { RecordStore, RowOf, UploadRecord } from '../records/rows.ts';
import { StoreFullError } from '../store/store.ts';
import { createValue } from '../query/value.ts';
import type { SendRequest } from './request.ts';
import { createUpload } from './run-upload.ts';
import type { Upload } from './upload.ts';

/** Properties of a file that the application chooses. */
export type UploadOptions = {
  /** Media type; by default that of the file. */
  readonly type?: string;
  /** Name; by default that of the file. */
  readonly name?: string;
  /** JSON for the application's own use, such as the conversation that the file is for. */
  readonly data?: unknown;
};

/** The files of this user on this device that are on their way to the platform, or have arrived and are not dismissed. */
export type Uploads = Query<List<Upload>> & {
  /**
   * Begins to upload a file.
   *
   * @param file The file, or any bytes.
   * @param options Media type, name and data.
   * @returns The upload, at once.
   * @example
   * const upload = client.uploads.start(input.files[0], { data: { conversation: conversation.id } });
   * upload.subscribe(() => (bar.value = upload.getSnapshot().sent));
   */
  start(file: Blob, options?: UploadOptions): Upload;
  /**
   * The upload with this id.
   *
   * @param id Its `id`.
   * @returns The upload; undefined if there is none.
   * @example client.uploads.get(id)?.pause();
   */
  get(id: string): Upload | undefined;
};

export type UploadsOptions = {
  /** Resolves when the records are open. */
  readonly store: () => Promise<RecordStore>;
  /** Sends a request with the session. */
  readonly send: SendRequest;
  readonly fetch: typeof fetch;
  /** As that of `UploadContext`. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** For `client.on('diagnostic')`. */
  readonly diagnose: (name: string, data: Record<string, unknown>) => void;
};

/** Part of the client: takes up the uploads of before, and begins new ones. */
export type UploadsHandle = {
  readonly uploads: Uploads;
  /** Takes up the uploads of before a reload, but for those that another tab has. */
  restore(): Promise<void>;
  /** Stops all uploads; they may be taken up later. */
  stop(): void;
};

const TABLE = 'uploads';
/** The platform drops content that no message refers to, and unfinished uploads later still. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export function createUploads(options: UploadsOptions): UploadsHandle {
  const { store } = options;
  let items: readonly Upload[] = [];
  const listed = (status: 'loading' | 'ready'): List<Upload> => ({
    items,
    status,
    hasOlder: false,
    error: undefined,
  });
  const value = createValue(listed('loading'));
  function show(next: readonly Upload[]): void {
    items = next;
    value.set(listed('ready'));
  }
  const own = {
    ...options,
    async keep(record: UploadRecord, file?: Blob): Promise<void> {
      if (file) await keepFile(options, record.id, file);
      await (await store()).write([{ kind: 'put', table: TABLE, row: toRow(record) }]);
    },
    async forget(id: string): Promise<void> {
      show(items.filter((one) => one.id !== id));
      const opened = await store();
      await opened.blobs?.remove(id);
      await opened.write([{ kind: 'remove', table: TABLE, key: id }]);
    },
    isKept: async (id: string) => (await (await store()).get(TABLE, [id]))[0] !== undefined,
    forgetFile: async (id: string) => (await store()).blobs?.remove(id),
  };
  async function restore(): Promise<void> {
    const { list, blobs } = await store();
    const rows = await list(TABLE, { group: '' });
    const known = new Set(items.map(({ id }) => id));
    for (const { value: record } of rows) {
      if (known.has(record.id)) continue;
      if (record.startedAt < Date.now() - KEPT_MS) await own.forget(record.id);
      else show([...items, createUpload(own, record, await blobs?.get(record.id))]);
    }
    show(items);
  }
  const uploads: Uploads = {
    ...value,
    get: (id) => items.find((one) => one.id === id),
    start(
      file,
      { type = file.type || 'application/octet-stream', name = (file as Partial<File>).name, data } = {},
    ) {
      const id = crypto.randomUUID();
      const record = { id, type, name, size: file.size, data, startedAt: Date.now(), isDone: false };
      const upload = createUpload(own, record, file, { isNew: true });
      show([upload, ...items]);
      return upload;
    },
  };
  return { uploads, restore, stop: () => items.forEach((one) => one.pause()) };
}

/** Without room for the file it is uploaded all the same, but cannot go on after a reload by itself. */
async function keepFile({ store, diagnose }: UploadsOptions, id: string, file: Blob): Promise<void> {
  try {
    await (await store()).blobs?.put(id, file);
  } catch (error) {
    if (!(error instanceof StoreFullError)) throw error;
    diagnose('upload_file_not_kept', { id, size: file.size });
  }
}

function toRow(record: UploadRecord): RowOf<'uploads'> {
  return { key: record.id, group: '', order: record.startedAt, value: record };
}
