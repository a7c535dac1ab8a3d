import { uuid7 } from '../uuid.ts';
import type { RecordStore, RowOf, UploadRecord } from '../records/rows.ts';
import { StoreFullError } from '../store/store.ts';
import type { SendRequest } from './request.ts';
import type { UploadContext } from './run-upload.ts';

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

const TABLE = 'uploads';

/** Properties of a file that the application chooses. */
export type FileOptions = { readonly type?: string; readonly name?: string; readonly data?: unknown };

/** The record of a file that is about to be uploaded. */
export function recordOf(
  file: Blob,
  {
    type = file.type || 'application/octet-stream',
    name = (file as Partial<File>).name,
    data,
  }: FileOptions = {},
): UploadRecord {
  return { id: uuid7(), type, name, size: file.size, data, startedAt: Date.now(), isDone: false };
}

/** The uploads that the store has: all of them, or those of a message. */
export async function rowsOf(store: UploadsOptions['store'], message?: string): Promise<UploadRecord[]> {
  const all = (await (await store()).list(TABLE, { group: '' })).map(({ value }) => value);
  return message === undefined ? all : all.filter((one) => one.message === message);
}

/** Keeps records and files of uploads in the store. `forgotten` is called with the id of one that is gone. */
export function createUploadContext(options: UploadsOptions, forgotten: (id: string) => void): UploadContext {
  const { store } = options;
  return {
    ...options,
    async keep(record: UploadRecord, file?: Blob): Promise<void> {
      if (file) await keepFile(options, record.id, file);
      await (await store()).write([{ kind: 'put', table: TABLE, row: toRow(record) }]);
    },
    async forget(id: string): Promise<void> {
      forgotten(id);
      const opened = await store();
      await opened.blobs?.remove(id);
      await opened.write([{ kind: 'remove', table: TABLE, key: id }]);
    },
    isKept: async (id: string) => (await (await store()).get(TABLE, [id]))[0] !== undefined,
    forgetFile: async (id: string) => (await store()).blobs?.remove(id),
  };
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
