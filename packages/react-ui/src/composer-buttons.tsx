import { useEffect, useRef, useState, type ReactElement } from 'react';
import { Icon } from './icon.tsx';
import { useComponents, useLanguage } from './settings.ts';

/** Chooses files from the device. */
export function FileButton({ stage }: { stage: (files: Iterable<File>) => void }): ReactElement {
  const { texts } = useLanguage();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        onChange={({ target }) => {
          stage([...(target.files ?? [])]);
          // Emptied, so that choosing the same file again is a change.
          target.value = '';
        }}
      />
      <button
        type="button"
        className="parley-button"
        aria-label={texts.sendFiles}
        title={texts.sendFiles}
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
    </>
  );
}

/** Opens the picker of emoji, which closes at a click elsewhere. */
export function EmojiButton({ insert }: { insert: (emoji: string) => void }): ReactElement {
  const { texts } = useLanguage();
  const { EmojiPicker } = useComponents();
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event): void => {
      if (place.current && !event.composedPath().includes(place.current)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);
  return (
    <span ref={place} className="parley-emoji">
      <button
        ref={button}
        type="button"
        className="parley-button"
        aria-label={texts.emoji}
        title={texts.emoji}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="emoji" />
      </button>
      {isOpen && (
        <EmojiPicker
          pick={(emoji) => {
            setOpen(false);
            insert(emoji);
          }}
          close={() => {
            setOpen(false);
            button.current?.focus();
          }}
        />
      )}
    </span>
  );
}
