import type { MessagePart } from '@parley/client';
import { useClient } from '@parley/react';
import { useEffect, useState, type ReactElement } from 'react';
import { bytesOf } from './text.ts';

type Props = { part: MessagePart; name: string; isSent: boolean };

/** An image, or a link to a file, which is saved under its name. Addresses of content expire, so the client is asked for one. */
export function Attachment({ part: { mime_type: type, content }, name, isSent }: Props): ReactElement {
  const client = useClient();
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!isSent || !content) return;
    // Without a network the place stays empty.
    client?.downloads.url(content).then(setUrl, () => undefined);
  }, [client, content, isSent]);
  if (type.startsWith('image/')) return url ? <img src={url} alt={name} /> : <span className="image" />;
  return (
    <a className="file" href={url} download={name} target="_blank" rel="noreferrer">
      {name || 'File'} ({bytesOf(content?.size ?? 0)})
    </a>
  );
}
