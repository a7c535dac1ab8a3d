import { refuseFile, takeFile } from '../pending/files.ts';
import type { Context } from '../sync/context.ts';
import { createAttachments, type Attachments } from './attachments.ts';
import { createDownloads, type Downloads } from './downloads.ts';
import type { SendRequest } from './request.ts';
import { createUploadContext } from './upload-records.ts';
import { createUploads, type Uploads } from './uploads.ts';

/** Uploads and downloads of a client. */
export type Transfer = {
  readonly uploads: Uploads;
  readonly attachments: Attachments;
  readonly downloads: Downloads;
  /** Stops the uploads, which go on when the records are opened again, and takes the object URLs of downloads back. */
  stop(): void;
};

type TransferOptions = {
  /** Fails while the application wants no connection. */
  readonly fetch: typeof fetch;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Resolves when the records are open. */
  readonly context: () => Promise<Context>;
  readonly diagnose: (name: string, data: Record<string, unknown>) => void;
};

export function createTransfer({ context, ...given }: TransferOptions): Transfer {
  const options = {
    send: async <T>(request: Parameters<SendRequest>[0]) => (await context()).session.send<T>(request),
    store: async () => (await context()).store,
    ...given,
  };
  const upload = createUploadContext(options, () => undefined);
  const attachments = createAttachments(
    { ...options, upload },
    {
      arrived: async (message, id, content) => takeFile(await context(), message, { id, content }),
      refused: async (message, error) => refuseFile(await context(), message, error),
      isWaiting: async (message) => (await context()).records.operations.has(message),
    },
  );
  const { uploads, restore, stop } = createUploads(options, attachments);
  restore().catch((error: unknown) => given.diagnose('uploads_not_restored', { reason: String(error) }));
  const { url, blob, stop: revoke } = createDownloads({ ...options, fileOf: attachments.fileOf });
  return {
    uploads,
    attachments,
    downloads: { url, blob },
    stop() {
      stop();
      revoke();
      attachments.stop();
    },
  };
}
