import type { Context } from '../sync/context.ts';
import { createDownloads, type Downloads } from './downloads.ts';
import { createUploads, type Uploads } from './uploads.ts';

/** Uploads and downloads of a client. */
export type Transfer = {
  readonly uploads: Uploads;
  readonly downloads: Downloads;
  /** Stops the uploads; they go on when the records are opened again. */
  stop(): void;
};

type TransferOptions = {
  readonly fetch: typeof fetch | undefined;
  /** Resolves when the records are open. */
  readonly context: () => Promise<Context>;
  readonly diagnose: (name: string, data: Record<string, unknown>) => void;
};

export function createTransfer({ fetch: given, context, diagnose }: TransferOptions): Transfer {
  const options = {
    send: async (request: Parameters<Context['session']['send']>[0]) =>
      (await context()).session.send(request),
    fetch: given ?? ((...request: Parameters<typeof fetch>) => fetch(...request)),
    store: async () => (await context()).store,
    diagnose,
  };
  const { uploads, restore, stop } = createUploads(options);
  restore().catch((error: unknown) => diagnose('uploads_not_restored', { reason: String(error) }));
  return { uploads, downloads: createDownloads(options), stop };
}
