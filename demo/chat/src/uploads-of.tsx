import type { Upload } from '@parley/client';
import { useUpload } from '@parley/react';
import type { ReactElement } from 'react';
import { useUploads } from './hooks.ts';
import { bytesOf } from './text.ts';
import type { UploadData } from './uploads.ts';

/** The files that are on their way to a conversation. */
export function UploadsOf({ conversation }: { conversation: string }): ReactElement {
  const { items } = useUploads();
  const own = items.filter(
    (upload) => (upload.getSnapshot().data as UploadData | undefined)?.conversation === conversation,
  );
  return (
    <ul className="uploads">
      {own.map((upload) => (
        <Progress key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}

function Progress({ upload }: { upload: Upload }): ReactElement | null {
  const { state } = useUpload(upload.id);
  if (!state) return null;
  const { name, sent, size, status } = state;
  return (
    <li data-upload={status}>
      <label>
        {name} <progress value={sent} max={size} />
      </label>
      <span>{status === 'uploading' ? `${bytesOf(sent)} of ${bytesOf(size)}` : status}</span>
      <button onClick={() => void upload.abort()}>Cancel</button>
    </li>
  );
}
