import type { Conversation, Message } from '@parley/client';
import { useEffect, useRef, useState, type CSSProperties, type ReactElement } from 'react';
import { Icon } from './icon.tsx';
import { toggle, useCanReact } from './reactions.tsx';
import { useComponents, useLanguage } from './settings.ts';
import { WhoReacted } from './who-reacted.tsx';

type Props = { readonly message: Message; readonly conversation: Conversation };

/** Reactions that are one press away. */
const QUICK = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const;
const GAP_PX = 6;

/** A button at a message with a menu: reactions to give, and who reacted. Null where there would be neither. */
export function ReactButton({ message, conversation }: Props): ReactElement | null {
  const { texts } = useLanguage();
  const button = useRef<HTMLButtonElement>(null);
  const [place, setPlace] = useState<CSSProperties>();
  const canReact = useCanReact(message, conversation);
  const hasReactions = Object.keys(message.reactions).length > 0;
  if (!canReact && !hasReactions) return null;
  const label = canReact ? texts.react : texts.whoReacted;
  return (
    <>
      <button
        ref={button}
        type="button"
        className="parley-button parley-react"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        // Enter on the message opens it too: the list would have a stop for each message otherwise.
        tabIndex={-1}
        onClick={({ currentTarget }) => setPlace(placeAt(currentTarget))}
      >
        <Icon name="react" />
      </button>
      {place && (
        <ReactMenu
          message={message}
          isGiving={canReact}
          isTelling={hasReactions}
          place={place}
          close={() => setPlace(undefined)}
        />
      )}
    </>
  );
}

/** The side of a button with more room: above it, or below it. */
function placeAt(button: HTMLElement): CSSProperties {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const isLeft = (left + right) / 2 < innerWidth / 2;
  const across = isLeft ? { '--p-left': `${left}px` } : { '--p-right': `${innerWidth - right}px` };
  const along =
    top > innerHeight / 2
      ? { bottom: innerHeight - top + GAP_PX, top: 'auto' }
      : { top: bottom + GAP_PX, bottom: 'auto' };
  return Object.assign({}, across, along, isLeft ? { right: 'auto' } : { left: 'auto' }) as CSSProperties;
}

type MenuProps = {
  readonly message: Message;
  readonly isGiving: boolean;
  readonly isTelling: boolean;
  readonly place: CSSProperties;
  readonly close: () => void;
};

function ReactMenu({ message, isGiving, isTelling, place, close }: MenuProps): ReactElement {
  const { texts } = useLanguage();
  const { EmojiPicker } = useComponents();
  const [isMore, setMore] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const leave = (): void => dialog.current?.close();
  function pick(key: string): void {
    leave();
    toggle(message, key);
  }
  return (
    <dialog
      ref={dialog}
      className="parley-react-menu"
      aria-label={texts.reactions}
      style={place}
      onClose={close}
      // The list below it has keys of its own.
      onKeyDown={(event) => event.stopPropagation()}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) leave();
      }}
    >
      {isGiving && !isMore && <QuickReactions message={message} pick={pick} more={() => setMore(true)} />}
      {isMore && <EmojiPicker pick={pick} close={leave} />}
      {isTelling && !isMore && <WhoReacted message={message} />}
    </dialog>
  );
}

type QuickProps = {
  readonly message: Message;
  readonly pick: (key: string) => void;
  readonly more: () => void;
};

function QuickReactions({ message: { reactions }, pick, more }: QuickProps): ReactElement {
  const { texts } = useLanguage();
  return (
    <div className="parley-quick" role="group" aria-label={texts.react}>
      {QUICK.map((key) => (
        <button key={key} type="button" aria-pressed={reactions[key]?.own ?? false} onClick={() => pick(key)}>
          {key}
        </button>
      ))}
      <button type="button" aria-label={texts.more} title={texts.more} onClick={more}>
        <Icon name="add" />
      </button>
    </div>
  );
}
