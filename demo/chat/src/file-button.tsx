import { useUpload } from '@parley/react';
import { useRef, type ReactElement } from 'react';
import type { UploadData } from './uploads.ts';

/** Begins to upload files for a conversation; `sendUploads` sends them when they have arrived. */
export function FileButton({ conversation }: { conversation: string }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const { start } = useUpload();
  function upload({ files }: HTMLInputElement): void {
    const data: UploadData = { conversation };
    for (const file of files ?? []) start(file, { data });
  }
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        onChange={({ target }) => {
          upload(target);
          // Emptied, so that choosing the same file again is a change.
          target.value = '';
        }}
      />
      <button type="button" aria-label="Send files" onClick={() => input.current?.click()}>
        +
      </button>
    </>
  );
}
