import groups from 'unicode-emoji-json/data-by-group.json' with { type: 'json' };

/**
 * Variants of a person by gender, of which there is one without, and by direction; families by their members, which systems draw as
 * shadows; clocks of each hour, signs of Japanese shops and of keyboards, and plain shapes.
 */
const LEFT_OUT =
  /^(?:man|woman|men|women|family|keycap|input)\b.|facing right$|o’clock$|-thirty$|^Japanese “|(?:-small|large|medium|small) square$|diamond$/;

type Emoji = { readonly emoji: string; readonly name: string };

/** Source of src/emoji-data.ts, from what Unicode lists. */
export function emojiSource(): string {
  const lists = groups.map(({ emojis }) =>
    emojis
      .filter(({ emoji, name }) => !LEFT_OUT.test(name) && regionOf(emoji) === undefined)
      .map(({ emoji, name }: Emoji) => `${emoji} ${name.toLowerCase()}`)
      .join('|'),
  );
  const regions = groups.flatMap(({ emojis }) => emojis.flatMap(({ emoji }) => regionOf(emoji) ?? []));
  return [
    '// Made of unicode-emoji-json by `UPDATE_EMOJI=1 npm test -- packages/react-ui/test/emoji`.',
    '',
    '/** Emoji of each group with their English names: `😀 grinning face|…`. */',
    `export const EMOJI_GROUPS: readonly string[] = ${literal(lists)};`,
    '',
    '/** Regions that have a flag. */',
    'export const FLAG_REGIONS =',
    `  '${regions.join(' ')}';`,
    '',
  ].join('\n');
}

function literal(lists: readonly string[]): string {
  const lines = lists.map((list) => `  ${list.includes("'") ? JSON.stringify(list) : `'${list}'`},`);
  return `[\n${lines.join('\n')}\n]`;
}

const FIRST_INDICATOR = 0x1f1e6;
const LETTERS = 26;

/** The two letters of a country's flag; undefined for another emoji. */
function regionOf(emoji: string): string | undefined {
  const letters = [...emoji].map((one) => (one.codePointAt(0) ?? 0) - FIRST_INDICATOR);
  if (letters.length !== 2 || letters.some((one) => one < 0 || one >= LETTERS)) return undefined;
  return letters.map((one) => String.fromCharCode(one + 65)).join('');
}
