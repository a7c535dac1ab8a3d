import type { Client, List, Upload, UploadState } from '@parley/client';
import { useClient } from '@parley/react';
import { useEffect, useSyncExternalStore, type ReactElement } from 'react';
import { Icon } from './icon.tsx';
import { useLanguage } from './settings.ts';

/** An upload as it is kept over a reload: the conversation in whose composer it waits. */
type StagedData = { readonly stagedIn: string };

const NOTHING: List<never> = Object.freeze({
  items: Object.freeze([]),
  status: 'loading',
  hasOlder: false,
  error: undefined,
});

/** Begins to upload files, which wait in the composer of a conversation until they are sent. */
export function stageFiles(client: Client, conversationId: string, files: Iterable<File>): void {
  const data: StagedData = { stagedIn: conversationId };
  for (const file of files) client.uploads.start(file, { data });
}

/** The files that wait in the composer of a conversation, the first one first; also those of before a reload. */
export function useStagedFiles(conversationId: string): readonly Upload[] {
  const uploads = useClient()?.uploads;
  const { items } = useSyncExternalStore<List<Upload>>(
    uploads?.subscribe ?? subscribeToNothing,
    uploads?.getSnapshot ?? (() => NOTHING),
    () => NOTHING,
  );
  return items.filter((one) => isStagedIn(one.getSnapshot(), conversationId)).toReversed();
}

function subscribeToNothing(): () => void {
  return () => undefined;
}

function isStagedIn({ data, status }: UploadState, conversationId: string): boolean {
  return status !== 'aborted' && (data as Partial<StagedData> | undefined)?.stagedIn === conversationId;
}

const GONE = 'parley/staged/gone';

/** Forgets files that were sent or removed, also in the composers of the other windows of the user. */
export async function unstageFiles(files: readonly Upload[]): Promise<void> {
  await Promise.all(files.map((upload) => upload.dismiss()));
  if (typeof BroadcastChannel === 'undefined') return;
  const windows = new BroadcastChannel(GONE);
  for (const { id } of files) windows.postMessage(id);
  windows.close();
}

/** Hears from the other windows of the user which files are staged no more. */
export function useUnstagedElsewhere(): void {
  const client = useClient();
  useEffect(() => {
    if (!client || typeof BroadcastChannel === 'undefined') return;
    const windows = new BroadcastChannel(GONE);
    windows.onmessage = ({ data }: MessageEvent<unknown>) => {
      const upload = client.uploads.get(String(data));
      // It may be about to find out that another window has sent all bytes.
      upload?.pause();
      upload?.dismiss().catch(() => undefined);
    };
    return () => windows.close();
  }, [client]);
}

/** The files with their progress, each of which can be removed. */
export function StagedFiles({ files }: { files: readonly Upload[] }): ReactElement | null {
  if (files.length === 0) return null;
  return (
    <ul className="parley-staged">
      {files.map((upload) => (
        <StagedFile key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}

function StagedFile({ upload }: { upload: Upload }): ReactElement {
  const {
    name = '',
    sent,
    size,
    status,
  } = useSyncExternalStore(upload.subscribe, upload.getSnapshot, upload.getSnapshot);
  const { texts, fill, size: formatSize } = useLanguage();
  const shown = name || texts.file;
  const isFailed = status === 'failed';
  return (
    <li data-upload={status}>
      <Icon name={isFailed ? 'failed' : 'file'} />
      <span>
        <bdi>{shown}</bdi>
        <small>{isFailed ? fill(texts.uploadFailed, { name: shown }) : formatSize(size)}</small>
        {status !== 'done' && !isFailed && (
          <progress
            value={sent}
            max={Math.max(1, size)}
            aria-label={fill(texts.uploading, {
              name: shown,
              sent: formatSize(sent),
              size: formatSize(size),
            })}
          />
        )}
      </span>
      <button
        type="button"
        className="parley-button"
        aria-label={fill(texts.removeFile, { name: shown })}
        onClick={() => void remove(upload)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

async function remove(upload: Upload): Promise<void> {
  const { status } = upload.getSnapshot();
  if (status !== 'done' && status !== 'failed') await upload.abort();
  await unstageFiles([upload]);
}
