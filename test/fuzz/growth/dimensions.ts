/** One way in which a JSON value can be made larger. */
export type Dimension = {
  name: string;
  /** The JSON text; a share of 1 is the largest one that is tried. */
  grow(share: number): string;
};

type Path = readonly (string | number)[];

/** What texts are made longer with: characters, and steps of paths of properties. */
const FILLERS = ['x', '.a', String.raw`\.`] as const;
/** Lengths of lists that are within their limits, so that more than the check of the length is tried. */
const LEGAL_LENGTHS = [12, 100, 900] as const;
const DEEP = '\u0001deep\u0001';
const LEVEL = '{"a":';

/** Every dimension of every member of a value, each to a text of at most `bytes`. */
export function dimensionsOf(value: unknown, bytes: number): Dimension[] {
  return [...placesIn(value)].flatMap(({ path, member }) => {
    const make = (grown: unknown): string => JSON.stringify(withMember(value, path, grown));
    const at = path.join('.') || 'the whole';
    return dimensionsAt(member, { make, at, bytes });
  });
}

type Place = { make: (grown: unknown) => string; at: string; bytes: number };

function dimensionsAt(member: unknown, place: Place): Dimension[] {
  if (typeof member === 'string') return [...lengths(member, place), depth(place)];
  if (Array.isArray(member)) return member.length > 0 ? items(member, place) : [];
  return typeof member === 'object' && member !== null ? keys(member, place) : [];
}

function lengths(text: string, { make, at, bytes }: Place): Dimension[] {
  return FILLERS.map((filler) => ({
    name: `length of ${at} in ${filler}`,
    grow: (share) => fill(share * bytes, (count) => make(text + filler.repeat(count))),
  }));
}

function depth({ make, at, bytes }: Place): Dimension {
  const nested = (levels: number): string =>
    make(DEEP).replace(JSON.stringify(DEEP), () => `${LEVEL.repeat(levels)}"b"${'}'.repeat(levels)}`);
  return { name: `depth of ${at}`, grow: (share) => fill(share * bytes, nested) };
}

function keys(object: object, { make, at, bytes }: Place): Dimension[] {
  const sample: unknown = Object.values(object)[0] ?? 'x';
  const more = (count: number): object => ({
    ...object,
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, sample])),
  });
  return [
    { name: `keys of ${at}`, grow: (share) => fill(share * bytes, (count) => make(more(count))) },
    {
      name: `length of a key of ${at}`,
      grow: (share) => fill(share * bytes, (count) => make({ ...object, ['k'.repeat(count)]: sample })),
    },
  ];
}

/** Copies of the items, and items of which one text differs; as many as fit, and so many as are allowed, short and long. */
function items(list: readonly unknown[], { make, at, bytes }: Place): Dimension[] {
  const kinds: (Path | undefined)[] = [
    undefined,
    ...[...placesIn(list)].filter(({ member }) => typeof member === 'string').map(({ path }) => path),
  ];
  return kinds.flatMap((varied): Dimension[] => {
    const what = varied ? `items of ${at} by ${varied.join('.')}` : `copies of ${at}`;
    const listOf = (count: number, padding = '') =>
      make(Array.from({ length: count }, (_, index) => itemAt(list, { index, varied, padding })));
    const fixed = LEGAL_LENGTHS.flatMap((length): Dimension[] => [
      { name: `${length} ${what}`, grow: (share) => listOf(Math.ceil(length * share)) },
      ...(varied
        ? [{ name: `${length} large ${what}`, grow: (share: number) => padded(length, share) }]
        : []),
    ]);
    const padded = (length: number, share: number): string => {
      const room = Math.max(0, bytes - Buffer.byteLength(listOf(length)));
      return listOf(Math.ceil(length * share), 'x'.repeat(Math.floor(room / length)));
    };
    return [{ name: what, grow: (share) => fill(share * bytes, (count) => listOf(count)) }, ...fixed];
  });
}

type Item = { index: number; varied: Path | undefined; padding: string };

function itemAt(list: readonly unknown[], { index, varied, padding }: Item): unknown {
  const of = index % list.length;
  const item = list[of];
  if (!varied || (list.length > 1 && varied[0] !== of)) return item;
  const path = varied.slice(1);
  const text = [...placesIn(item)].find((place) => place.path.join() === path.join())?.member;
  return withMember(item, path, `${String(text)}${index}${padding}`);
}

/** The largest text of at most so many bytes. */
function fill(bytes: number, make: (count: number) => string): string {
  const [one, many] = [Buffer.byteLength(make(1)), Buffer.byteLength(make(65))];
  const each = Math.max(1, (many - one) / 64);
  let count = Math.max(1, Math.floor((bytes - one) / each));
  let text = make(count);
  while (count > 1 && Buffer.byteLength(text) > bytes) text = make((count = Math.floor(count * 0.9)));
  return text;
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
