import type { MessagePart } from '@parley/client';
import { useClient } from '@parley/react';
import { useEffect, useRef, useState, type MouseEvent, type ReactElement } from 'react';
import { Icon } from './icon.tsx';
import { kindOf } from './names.ts';
import { useLanguage } from './settings.ts';
import { TextFile } from './text-file.tsx';

/** Properties of a file. */
export type AttachmentProps = {
  /** A part with a content. */
  readonly part: MessagePart;
};

/**
 * A file of a message: an image with a light box, a video, a sound, a long text, or a link by which the file is saved.
 *
 * @param props The part.
 * @returns The element.
 * @example {message.parts.filter(({ content }) => content).map((part) => <Attachment key={part.id} part={part} />)}
 */
export function Attachment({ part }: AttachmentProps): ReactElement {
  const { texts } = useLanguage();
  const { url, isGone, renew } = useAddress(part);
  const renewing = useRenewal(renew);
  const kind = kindOf(part.mime_type);
  const name = part.filename ?? texts[kind];
  if (isGone) return <p className="parley-gone">{texts.contentGone}</p>;
  if (kind === 'image') return <Picture url={url} name={name} renew={renew} />;
  if (kind === 'video') {
    const shown = { className: 'parley-video', src: url, 'aria-label': name };
    return <video {...shown} {...renewing} controls preload="metadata" />;
  }
  if (kind === 'audio') {
    const shown = { className: 'parley-audio', src: url, 'aria-label': name };
    return <audio {...shown} {...renewing} controls preload="metadata" />;
  }
  if (part.mime_type.startsWith('text/plain') && !part.filename) return <TextFile part={part} />;
  return <File url={url} name={name} size={part.content?.size ?? 0} renew={renew} />;
}

/** Asks for the address again, and shows it; undefined without a network. */
type Renew = () => Promise<string | undefined>;
type Address = { readonly url: string | undefined; readonly isGone: boolean; readonly renew: Renew };

/** An address of the content; undefined until there is one. Addresses expire, so the client is asked for one. */
function useAddress({ content }: MessagePart): Address {
  const client = useClient();
  const [found, setFound] = useState<{ id: string; url: string | undefined }>();
  const id = content?.id;
  useEffect(() => {
    if (!content) return;
    let isCurrent = true;
    const find = (url: string | undefined): void => {
      if (isCurrent) setFound({ id: content.id, url });
    };
    client?.downloads.url(content).then(find, (error: { id?: string }) => {
      // Without a network the place stays empty.
      if (error.id === 'not_found') find(undefined);
    });
    return () => {
      isCurrent = false;
    };
    // A content does not change under its id; it has no address before its message was sent.
  }, [client, id, content?.refresh_url]);
  const isFound = found !== undefined && found.id === id;
  async function renew(): Promise<string | undefined> {
    const url = content && (await client?.downloads.url(content).catch(() => undefined));
    if (url) setFound((now) => (now?.id === content.id ? { id: now.id, url } : now));
    return url ?? undefined;
  }
  return { url: isFound ? found.url : undefined, isGone: isFound && found.url === undefined, renew };
}

/** Listeners of an image, a video or a sound that asks for another address once where one does not work. */
function useRenewal(renew: Renew): { readonly onError: () => void; readonly onLoadedMetadata: () => void } {
  const hasFailed = useRef(false);
  return {
    onError() {
      if (hasFailed.current) return;
      hasFailed.current = true;
      void renew();
    },
    onLoadedMetadata() {
      hasFailed.current = false;
    },
  };
}

/** Follows a link to the address that the content has by now. */
function followRenewed(event: MouseEvent<HTMLAnchorElement>, renew: Renew): void {
  const { currentTarget: link, isTrusted, ctrlKey, metaKey, shiftKey } = event;
  if (!isTrusted || ctrlKey || metaKey || shiftKey) return;
  event.preventDefault();
  void renew().then((url) => {
    if (url) link.href = url;
    link.click();
  });
}

type ShownProps = { readonly url: string | undefined; readonly name: string; readonly renew: Renew };

function Picture({ url, name, renew }: ShownProps): ReactElement {
  const { texts, fill } = useLanguage();
  const box = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { onError } = useRenewal(renew);
  useEffect(() => {
    if (isOpen) box.current?.showModal();
  }, [isOpen]);
  return (
    <>
      <button
        type="button"
        className="parley-picture"
        aria-label={fill(texts.openImage, { name })}
        onClick={() => setOpen(true)}
      >
        {url && <img src={url} alt={name} onError={onError} />}
      </button>
      {isOpen && (
        <dialog
          ref={box}
          className="parley-light-box"
          aria-label={name}
          onClose={() => setOpen(false)}
          onClick={() => box.current?.close()}
        >
          <img src={url} alt={name} />
          <a
            href={url}
            download={name}
            target="_blank"
            rel="noopener noreferrer"
            onClick={(event) => followRenewed(event, renew)}
          >
            <Icon name="download" />
            <span className="parley-hidden">{fill(texts.download, { name })}</span>
          </a>
          <button type="button" aria-label={texts.close}>
            <Icon name="close" />
          </button>
        </dialog>
      )}
    </>
  );
}

function File({ url, name, size, renew }: ShownProps & { readonly size: number }): ReactElement {
  const language = useLanguage();
  return (
    <a
      className="parley-file"
      href={url}
      download={name}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => followRenewed(event, renew)}
    >
      <Icon name="file" />
      <span>
        <bdi>{name}</bdi>
        <small>{language.size(size)}</small>
      </span>
    </a>
  );
}
