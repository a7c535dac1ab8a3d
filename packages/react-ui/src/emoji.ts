import { EMOJI_GROUPS, FLAG_REGIONS } from './emoji-data.ts';

export type Emoji = { readonly emoji: string; readonly name: string };

/** The emoji in their groups: smileys, people, nature, food, places, activities, objects, symbols, flags. */
export function emojiGroups(language: string): readonly (readonly Emoji[])[] {
  const groups = EMOJI_GROUPS.map((list) => list.split('|').map(readEmoji));
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const flags = FLAG_REGIONS.split(' ').map((region) => ({
    emoji: flagOf(region),
    name: names.of(region) ?? region,
  }));
  return groups.map((group, index) => (index === groups.length - 1 ? [...group, ...flags] : group));
}

function readEmoji(entry: string): Emoji {
  const space = entry.indexOf(' ');
  return { emoji: entry.slice(0, space), name: entry.slice(space + 1) };
}

const FIRST_INDICATOR = 0x1f1e6;
const LETTER_A = 65;

function flagOf(region: string): string {
  const letters = [...region].map((letter) => letter.charCodeAt(0) - LETTER_A + FIRST_INDICATOR);
  return String.fromCodePoint(...letters);
}
