import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactElement } from 'react';
import { emojiGroups, type Emoji } from './emoji.ts';
import { useLanguage } from './settings.ts';

/** Properties of the picker. */
export type EmojiPickerProps = {
  readonly pick: (emoji: string) => void;
  /** The user leaves the picker. */
  readonly close: () => void;
};

/** As many stand in a row; the style sheet has the same number. */
const COLUMNS = 8;
const MOST_FOUND = 80;

/**
 * Emoji by group, and by a search for their English names. Arrow keys move among them, and Escape leaves.
 *
 * @param props What is done with the emoji.
 * @returns The element.
 * @example <EmojiPicker pick={(emoji) => insert(emoji)} close={() => setOpen(false)} />
 */
export function EmojiPicker({ pick, close }: EmojiPickerProps): ReactElement {
  const { texts } = useLanguage();
  const groups = useMemo(() => emojiGroups(texts.language), [texts.language]);
  const [group, setGroup] = useState(0);
  const [asked, ask] = useState('');
  const shown = useMemo(() => find(groups, asked) ?? groups[group] ?? [], [groups, asked, group]);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => search.current?.focus(), []);
  return (
    <div
      className="parley-emoji-picker"
      role="dialog"
      aria-label={texts.emoji}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <input
        ref={search}
        type="search"
        className="parley-field"
        aria-label={texts.searchEmoji}
        placeholder={texts.searchEmoji}
        value={asked}
        onChange={({ target }) => ask(target.value)}
      />
      <div className="parley-emoji-groups" role="group" aria-label={texts.emoji}>
        {groups.map(([first], index) => (
          <button
            key={index}
            type="button"
            aria-label={texts.emojiGroups[index]}
            title={texts.emojiGroups[index]}
            aria-pressed={asked === '' && index === group}
            onClick={() => {
              ask('');
              setGroup(index);
            }}
          >
            {first?.emoji}
          </button>
        ))}
      </div>
      <EmojiGrid emoji={shown} pick={pick} />
      {shown.length === 0 && <p className="parley-quiet">{texts.noEmoji}</p>}
    </div>
  );
}

function find(groups: readonly (readonly Emoji[])[], asked: string): readonly Emoji[] | undefined {
  const words = asked.toLowerCase().split(' ').filter(Boolean);
  if (words.length === 0) return undefined;
  const hasAll = ({ name }: Emoji): boolean => words.every((word) => name.toLowerCase().includes(word));
  return groups.flat().filter(hasAll).slice(0, MOST_FOUND);
}

type GridProps = { readonly emoji: readonly Emoji[]; readonly pick: (emoji: string) => void };

function EmojiGrid({ emoji, pick }: GridProps): ReactElement {
  const { texts } = useLanguage();
  const [focused, focus] = useState(0);
  const at = Math.min(focused, emoji.length - 1);
  function move(event: KeyboardEvent<HTMLElement>): void {
    const forward = texts.direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = texts.direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    const steps = { [forward]: 1, [backward]: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS };
    const next = at + (steps[event.key] ?? 0);
    if (next === at || next < 0 || next >= emoji.length) return;
    event.preventDefault();
    focus(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  }
  return (
    <div className="parley-emoji-grid" role="group" aria-label={texts.emoji} onKeyDown={move}>
      {emoji.map(({ emoji: sign, name }, index) => (
        <button
          key={sign}
          type="button"
          tabIndex={index === at ? 0 : -1}
          aria-label={name}
          title={name}
          onClick={() => pick(sign)}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}
