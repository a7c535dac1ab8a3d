import type { BasicIdentity } from '@parley/client';
import { useState, type ReactElement } from 'react';
import { nameOf } from './names.ts';
import { useLanguage } from './settings.ts';

/** Properties of a user's picture. */
export type AvatarProps = {
  /** The users: of several the picture is that of a group. A user who was erased is null. */
  readonly identities: readonly (BasicIdentity | null)[];
  readonly size?: 'small' | 'medium' | 'large';
};

const HUES = 8;

/**
 * The picture of a user, or their initials in a colour of their own. Names stand beside it, so screen readers pass over it.
 *
 * @param props The users, and the size.
 * @returns The element.
 * @example <Avatar identities={conversation.others} />
 */
export function Avatar({ identities, size = 'medium' }: AvatarProps): ReactElement {
  const language = useLanguage();
  const [broken, setBroken] = useState<string>();
  const [first = null] = identities;
  const url = identities.length === 1 ? pictureOf(first) : undefined;
  const hue = hueOf(identities.map((one) => one?.user_id ?? '').join());
  return (
    <span className="parley-avatar" data-size={size} data-hue={hue} aria-hidden="true">
      {url !== undefined && url !== broken ? (
        <img src={url} alt="" loading="lazy" referrerPolicy="no-referrer" onError={() => setBroken(url)} />
      ) : identities.length > 1 ? (
        <GroupIcon />
      ) : (
        initialsOf(nameOf(first, language))
      )}
    </span>
  );
}

function pictureOf(identity: BasicIdentity | null): string | undefined {
  const url = identity?.avatar_url;
  return url && /^https?:\/\//i.test(url) ? url : undefined;
}

/** A number for a colour, always the same for a user. */
function hueOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return hash % HUES;
}

/** One or two letters, each as readers see it: an emoji or an accented letter is one. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word = '') => firstLetter(word)).join('');
}

function firstLetter(word: string): string {
  const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word);
  for (const { segment } of segments) return segment.toLocaleUpperCase();
  return '';
}

function GroupIcon(): ReactElement {
  return (
    <svg viewBox="0 0 24 24" fill="currentColor">
      <path d="M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm0 2c-3.3 0-7 1.6-7 4.3V20h14v-2.700C16 14.600 12.300 13 9 13Zm7.500-2a3 3 0 1 0-1.100-5.800 5.500 5.500 0 0 1 0 5.600c.3.100.700.200 1.100.200Zm1.200 2.300c1.100.900 1.800 2.100 1.800 3.700V20H22v-2.700c0-2-2-3.400-4.300-4Z" />
    </svg>
  );
}
