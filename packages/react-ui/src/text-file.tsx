import type { MessagePart } from '@parley/client';
import { useClient } from '@parley/react';
import { useEffect, useState, type ReactElement } from 'react';
import { useLanguage } from './settings.ts';

/** Characters of a long text that are shown before the user asks for all. */
const PREVIEW_LENGTH = 600;
/** Bytes of the longest text that is read. */
const LONGEST_BYTES = 1_000_000;

/** A text that is too long for a part of its own, and was sent as a file. */
export function TextFile({ part: { content } }: { part: MessagePart }): ReactElement {
  const client = useClient();
  const { texts, size } = useLanguage();
  const [text, setText] = useState<string>();
  const [isWhole, setWhole] = useState(false);
  const id = content?.id;
  useEffect(() => {
    if (!content || content.size > LONGEST_BYTES) return;
    const ending = new AbortController();
    client?.downloads
      .blob(content, { signal: ending.signal })
      .then((blob) => blob.text())
      // Without a network the place stays empty.
      .then(setText, () => undefined);
    return () => ending.abort();
    // A content does not change under its id; it has no address before its message was sent.
  }, [client, id, content?.refresh_url]);
  if (text === undefined)
    return (
      <p className="parley-text parley-quiet">
        {texts.loading} {size(content?.size ?? 0)}
      </p>
    );
  const isShort = isWhole || text.length <= PREVIEW_LENGTH;
  return (
    <div className="parley-text" dir="auto">
      <p className="parley-long">{isShort ? text : `${text.slice(0, PREVIEW_LENGTH)}…`}</p>
      {!isShort && (
        <button type="button" className="parley-plain" onClick={() => setWhole(true)}>
          {texts.showAll}
        </button>
      )}
    </div>
  );
}
