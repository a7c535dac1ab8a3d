/** One way in which a JSON value can be made larger. */
export type Dimension = {
  name: string;
  /** The JSON text; a share of 1 is the largest one that is tried. */
  grow(share: number): string;
};

type Path = readonly (string | number)[];
/** Makes the text of a member with so many items, keys, levels or characters more. */
type Text = (count: number) => string;

/** The pieces by which texts are made longer: characters, and steps in paths of properties. */
const FILLERS = ['x'] as const;
const PATH_FILLERS = ['x', '.a', String.raw`\.`] as const;
/** Lengths of lists that are within their limits, so that more than the check of the length is tried. */
const LEGAL_LENGTHS = [100, 900] as const;
const MARK = '\u0001here\u0001';
const MARKED = JSON.stringify(MARK);
/** The digits of the number in an item or a key. */
const MOST_DIGITS = 7;
const LEVEL = '{"a":';

/** Every dimension of every member of a value, each to a text of at most `bytes`. */
export function dimensionsOf(value: unknown, bytes: number): Dimension[] {
  return [...placesIn(value)].flatMap(({ path, member }): Dimension[] => {
    const [before = '', after = ''] = JSON.stringify(withMember(value, path, MARK)).split(MARKED);
    const place = { before, after, at: path.join('.') || 'the whole', bytes };
    if (typeof member === 'string') return lengths(member, place);
    if (Array.isArray(member)) return member.length > 0 ? [...items(member, place), depth(place)] : [];
    return typeof member === 'object' && member !== null ? [...keys(member, place), depth(place)] : [];
  });
}

/** The place of a member within the text of the whole value. */
type Place = { before: string; after: string; at: string; bytes: number };

function lengths(text: string, place: Place): Dimension[] {
  const fillers = text.includes('.') ? PATH_FILLERS : FILLERS;
  return fillers.map((filler) => ({
    name: `length of ${place.at} in ${filler}`,
    grow: filling(
      place,
      (count) => JSON.stringify(text + filler.repeat(count)),
      JSON.stringify(filler).length - 2,
    ),
  }));
}

function depth(place: Place): Dimension {
  const nested: Text = (levels) => `${LEVEL.repeat(levels)}"b"${'}'.repeat(levels)}`;
  return { name: `depth of ${place.at}`, grow: filling(place, nested, LEVEL.length + 1) };
}

function keys(object: object, place: Place): Dimension[] {
  const own = JSON.stringify(object).slice(1, -1);
  const sample = JSON.stringify(Object.values(object)[0] ?? 'x');
  const first = own === '' ? '' : `${own},`;
  const more: Text = (count) =>
    `{${first}${Array.from({ length: count }, (_, index) => `"k${index}":${sample}`).join()}}`;
  const long: Text = (count) => `{${first}"${'k'.repeat(count)}":${sample}}`;
  return [
    { name: `keys of ${place.at}`, grow: filling(place, more, `"k":${sample},`.length + MOST_DIGITS) },
    { name: `length of a key of ${place.at}`, grow: filling(place, long, 1) },
  ];
}

/** Copies of the items, and items of which one text differs; as many as fit, and so many as are allowed, short and long. */
function items(list: readonly unknown[], place: Place): Dimension[] {
  const texts = [...placesIn(list)].filter(
    ({ member, path }) => typeof member === 'string' && path.length > 0,
  );
  return [undefined, ...texts].flatMap((varied): Dimension[] => {
    const what = varied ? `items of ${place.at} by ${varied.path.join('.')}` : `copies of ${place.at}`;
    const forms = list.map((item, index) => formOf(item, varied?.path[0] === index ? varied : undefined));
    const textOf = (count: number, padding = ''): string =>
      `[${Array.from({ length: count }, (_, index) => forms[index % forms.length]!(index, padding)).join()}]`;
    const each = Math.max(...forms.map((form) => form(10 ** (MOST_DIGITS - 1), '').length)) + 1;
    const whole = (text: string): string => place.before + text + place.after;
    return [
      { name: what, grow: filling(place, textOf, each) },
      ...LEGAL_LENGTHS.flatMap((length): Dimension[] => {
        const padding = 'x'.repeat(Math.max(0, place.bytes / length - each));
        const short = (share: number) => whole(textOf(Math.ceil(length * share)));
        const long = (share: number) => whole(textOf(Math.ceil(length * share), padding));
        const dimension = { name: `${length} ${what}`, grow: short };
        return varied ? [dimension, { name: `${length} large ${what}`, grow: long }] : [dimension];
      }),
    ];
  });
}

/** The text of an item, with a number and a padding behind one of its texts. */
function formOf(
  item: unknown,
  varied: { path: Path; member: unknown } | undefined,
): (index: number, padding: string) => string {
  if (!varied) {
    const text = JSON.stringify(item);
    return () => text;
  }
  const [before = '', after = ''] = JSON.stringify(withMember(item, varied.path.slice(1), MARK)).split(
    MARKED,
  );
  const text = JSON.stringify(varied.member).slice(0, -1);
  return (index, padding) => `${before}${text}${index}${padding}"${after}`;
}

/** `each`: bytes that one more takes at the most. */
function filling({ before, after, bytes }: Place, make: Text, each: number): Dimension['grow'] {
  const room = bytes - Buffer.byteLength(before + make(1) + after);
  return (share) => before + make(1 + Math.max(0, Math.floor((room * share) / each))) + after;
}

function* placesIn(member: unknown, path: Path = []): Generator<{ path: Path; member: unknown }> {
  yield { path, member };
  if (typeof member !== 'object' || member === null) return;
  for (const [name, inner] of Object.entries(member) as [string, unknown][])
    yield* placesIn(inner, [...path, Array.isArray(member) ? Number(name) : name]);
}

function withMember(value: unknown, [name, ...rest]: Path, member: unknown): unknown {
  if (name === undefined) return member;
  if (Array.isArray(value)) return value.with(Number(name), withMember(value[Number(name)], rest, member));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: withMember(object[name], rest, member) };
}
