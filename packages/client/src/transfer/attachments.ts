import { ParleyError } from '../errors.ts';
import { UPLOAD, uploadsOf, type Action } from '../records/operation.ts';
import type { UploadRecord } from '../records/rows.ts';
import { createUpload, exclusively, type UploadContext } from './run-upload.ts';
import { filenameOf, type Upload, type UploadedPart } from './upload.ts';
import { recordOf, rowsOf, type UploadsOptions } from './upload-records.ts';

type Parts = Extract<Action, { kind: 'send' }>['parts'];

/** Files of messages that wait to be sent. They are no uploads of the application. */
export type Attachments = {
  /** Keeps files on the device for a message, and answers the parts that stand for them until they have arrived. */
  attach(message: string, files: readonly Blob[]): Promise<Parts>;
  /** Goes on with the uploads of a message: once it is kept, and when it is tried again. */
  begin(message: string): Promise<void>;
  /** Drops the files of a message that is not sent any more. */
  drop(message: string): Promise<void>;
  /** Takes up the upload of a message from before a reload. */
  restore(record: UploadRecord): Promise<void>;
  /** The uploads that are under way in this tab, for the parts of a message. */
  uploadsOf(parts: Parameters<typeof uploadsOf>[0]): Upload[];
  /** The file of a content, if it was sent by this device. */
  fileOf(content: string): Promise<Blob | undefined>;
  stop(): void;
};

/** Calls to the pending operations, which keep the messages. */
export type AttachmentReports = {
  /** A file has arrived. Resolves with whether its message is there. */
  readonly arrived: (message: string, id: string, content: { id: string; size: number }) => Promise<boolean>;
  readonly refused: (message: string, error: ParleyError) => Promise<void>;
  readonly isWaiting: (message: string) => Promise<boolean>;
};

/** A message is kept within this time after its files. Milliseconds. */
const KEPT_WITHIN_MS = 60_000;

export function createAttachments(
  { store, upload: ctx }: UploadsOptions & { readonly upload: UploadContext },
  { arrived, refused, isWaiting }: AttachmentReports,
): Attachments {
  const uploads = new Map<string, Upload>();
  /** By the content id of the part, before and after the file has arrived. */
  const files = new Map<string, Blob>();

  function begin(record: UploadRecord, message: string, file: Blob | undefined): void {
    const { id } = record;
    const upload = createUpload(ctx, record, file);
    uploads.set(id, upload);
    if (file) files.set(UPLOAD + id, file);
    const taken = async ({ content }: UploadedPart): Promise<void> => {
      if (file) files.set(content.id, file);
      if (await arrived(message, id, content)) await ctx.forget(id);
    };
    const left = (error: ParleyError): Promise<void> | undefined =>
      error.id === 'upload_aborted' ? undefined : refused(message, error);
    // A client that has ended leaves the rest to the next one.
    upload
      .done()
      .then(taken, left)
      .catch(() => undefined);
  }
  async function restore(record: UploadRecord): Promise<void> {
    const { id, message = '', startedAt, isDone } = record;
    const isLost = startedAt < Date.now() - KEPT_WITHIN_MS && !(await isWaiting(message));
    if (isLost) return ctx.forget(id);
    const file = files.get(UPLOAD + id) ?? (await (await store()).blobs?.get(id));
    if (file || isDone) return begin(record, message, file);
    await refuseLost(store, id, () => refused(message, new ParleyError({ id: 'upload_failed' })));
  }
  return {
    restore,
    async attach(message, given) {
      const parts: Parts[number][] = [];
      for (const file of given) {
        const record = { ...recordOf(file), message };
        files.set(UPLOAD + record.id, file);
        await ctx.keep(record, file);
        parts.push(partOf(record));
      }
      return parts;
    },
    async begin(message) {
      for (const record of await rowsOf(store, message)) {
        const { status = 'failed' } = uploads.get(record.id)?.getSnapshot() ?? {};
        if (status === 'failed') await restore(record);
      }
    },
    async drop(message) {
      for (const { id } of await rowsOf(store, message)) await (uploads.get(id)?.abort() ?? ctx.forget(id));
    },
    uploadsOf: (parts) => uploadsOf(parts).flatMap((id) => uploads.get(id) ?? []),
    async fileOf(content) {
      const known = files.get(content);
      if (known || !content.startsWith(UPLOAD)) return known;
      return (await store()).blobs?.get(content.slice(UPLOAD.length));
    },
    stop: () => uploads.forEach((one) => one.pause()),
  };
}

/** The part of a file that has not arrived. */
function partOf(record: UploadRecord): Parts[number] {
  const { id, type: mime_type, size } = record;
  const filename = filenameOf(record);
  return { id, mime_type, ...(filename && { filename }), content: { id: UPLOAD + id, size } };
}

/** Refuses a message whose file is lost, unless another tab has the file. */
async function refuseLost(
  store: UploadsOptions['store'],
  id: string,
  refuse: () => Promise<void>,
): Promise<void> {
  await exclusively(id, new AbortController().signal, async () => {
    const [row] = await (await store()).get('uploads', [id]);
    if (row && !row.value.isDone) await refuse();
  });
}
