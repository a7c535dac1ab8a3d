import { ParleyError, type Upload, type UploadOptions, type UploadState } from '@parley/client';
import { useCallback, useMemo, useState } from 'react';
import { useClient } from './provider.ts';
import { useQuery } from './query.ts';

/** The upload of a component. */
export type CurrentUpload = {
  /**
   * Begins to upload a file, instead of one before. Fails with a `ParleyError` without a client.
   */
  readonly start: (file: Blob, options?: UploadOptions) => Upload;
  /** The upload, to pause, resume or abort; undefined until `start`. */
  readonly upload: Upload | undefined;
  /** Its state; undefined until `start`. */
  readonly state: UploadState | undefined;
};

/**
 * Uploads a file and shows its progress.
 *
 * @param id An upload that was begun before, from `client.uploads`; by default none.
 * @returns The upload and its state.
 * @example
 * const { start, upload, state } = useUpload();
 * <input type="file" onChange={({ target }) => start(target.files[0])} />
 * {state && <progress value={state.sent} max={state.size} />}
 */
export function useUpload(id?: string): CurrentUpload {
  const client = useClient();
  const [started, setStarted] = useState<Upload | undefined>(undefined);
  const upload = started ?? (id === undefined ? undefined : client?.uploads.get(id));
  const state = useQuery<UploadState | undefined>(upload, undefined);
  const start = useCallback(
    (file: Blob, options?: UploadOptions) => {
      if (!client) throw new ParleyError({ id: 'destroyed', message: 'There is no client yet.' });
      const begun = client.uploads.start(file, options);
      setStarted(begun);
      return begun;
    },
    [client],
  );
  return useMemo(() => ({ start, upload, state }), [start, upload, state]);
}
