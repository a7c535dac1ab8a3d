import type { List, Query } from '../query/query.ts';
import { createValue } from '../query/value.ts';
import type { Attachments } from './attachments.ts';
import { createUpload } from './run-upload.ts';
import type { Upload } from './upload.ts';
import { createUploadContext, recordOf, rowsOf, type UploadsOptions } from './upload-records.ts';

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

/** Part of the client: takes up the uploads of before, and begins new ones. */
export type UploadsHandle = {
  readonly uploads: Uploads;
  /** Takes up the uploads of before a reload, but for those that another tab has. */
  restore(): Promise<void>;
  /** Stops all uploads; they may be taken up later. */
  stop(): void;
};

/** The platform drops content that no message refers to, and unfinished uploads later still. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** `attachments` takes the uploads of messages. */
export function createUploads(
  options: UploadsOptions,
  attachments?: Pick<Attachments, 'restore'>,
): UploadsHandle {
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
  const own = createUploadContext(options, (id) => show(items.filter((one) => one.id !== id)));
  async function restore(): Promise<void> {
    const known = new Set(items.map(({ id }) => id));
    for (const record of await rowsOf(store)) {
      if (known.has(record.id)) continue;
      if (record.message !== undefined) attachments?.restore(record).catch(() => undefined);
      else if (record.startedAt < Date.now() - KEPT_MS) await own.forget(record.id);
      else show([...items, createUpload(own, record, await (await store()).blobs?.get(record.id))]);
    }
    show(items);
  }
  const uploads: Uploads = {
    ...value,
    get: (id) => items.find((one) => one.id === id),
    start(file, given) {
      const upload = createUpload(own, recordOf(file, given), file, { isNew: true });
      show([upload, ...items]);
      return upload;
    },
  };
  return { uploads, restore, stop: () => items.forEach((one) => one.pause()) };
}
