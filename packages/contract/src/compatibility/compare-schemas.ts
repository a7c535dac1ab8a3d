import { alternatives, LIMITS, typesOf, type JsonSchema } from './json-schema.ts';

/** `input`: clients write it. `output`: clients read it. */
export type Direction = 'input' | 'output';

export type Comparison = {
  before: object;
  after: object;
  direction: Direction;
  /** Pairs of schemas under comparison, so that a schema that contains itself ends. */
  open?: readonly (readonly [before: JsonSchema, after: JsonSchema])[];
};

/** What of a schema's change breaks clients, each with the place of the property. */
export function compareSchemas(
  comparison: Comparison,
  place: string,
  [before, after]: readonly [before: JsonSchema, after: JsonSchema],
): string[] {
  const { open = [] } = comparison;
  if (open.some((pair) => pair[0] === before && pair[1] === after)) return [];
  const inner = { ...comparison, open: [...open, [before, after] as const] };
  const [olds, news] = [alternatives(comparison.before, before), alternatives(comparison.after, after)];
  const [wasNull, isNull] = [olds.some(admitsNull), news.some(admitsNull)];
  const changes = nullChange(comparison.direction, { wasNull, isNull }).map((change) => `${place} ${change}`);
  const candidates = news.filter((one) => !isNullAlone(one));
  for (const old of olds.filter((one) => !isNullAlone(one))) {
    const found = candidates.map((one) => compareAlternatives(inner, place, [old, one]));
    const best = found.sort((a, b) => a.length - b.length)[0];
    changes.push(...(best ?? [`${place} lost an alternative`]));
  }
  return changes;
}

function compareAlternatives(
  comparison: Comparison,
  place: string,
  pair: readonly [before: JsonSchema, after: JsonSchema],
): string[] {
  return [
    ...compareValues(comparison.direction, pair).map((change) => `${place} ${change}`),
    ...compareProperties(comparison, place, pair),
    ...compareItems(comparison, place, pair),
  ];
}

function compareValues(direction: Direction, [before, after]: readonly [JsonSchema, JsonSchema]): string[] {
  const [olds, news] = [typesOf(before), typesOf(after)];
  const [narrow, wide] = direction === 'input' ? [news, olds] : [olds, news];
  const changes: string[] = [];
  const others = wide ? [...wide].filter((type) => type !== 'null' && !covers(narrow, type)) : [];
  if (narrow && (others.length > 0 || !wide)) changes.push('changed its type');
  if (direction === 'output') return changes;
  const values = before.enum ?? (before.const === undefined ? undefined : [before.const]);
  const accepted = after.enum ?? (after.const === undefined ? undefined : [after.const]);
  if (accepted && !values?.every((value) => accepted.includes(value))) changes.push('takes fewer values');
  for (const name of LIMITS) {
    const [old, now] = [before[name], after[name]];
    if (now === undefined) continue;
    const isNarrower = name.startsWith('min') ? now > (old ?? -Infinity) : now < (old ?? Infinity);
    if (isNarrower) changes.push(`has a narrower ${name}`);
  }
  return changes;
}

/** Every integer is a number. */
function covers(types: ReadonlySet<string> | undefined, type: string): boolean {
  return !types || types.has(type) || (type === 'integer' && types.has('number'));
}

function compareProperties(
  comparison: Comparison,
  place: string,
  [before, after]: readonly [JsonSchema, JsonSchema],
): string[] {
  const isOutput = comparison.direction === 'output';
  const { properties: olds = {}, required: neededBefore = [] } = before;
  const { properties: news = {}, required: neededNow = [] } = after;
  const changes = Object.entries(olds).flatMap(([name, old]) => {
    const [now, where] = [news[name], `${place}.${name}`];
    if (!now) return [`${where} was removed`];
    const isLeftOut = isOutput && neededBefore.includes(name) && !neededNow.includes(name);
    return [
      ...(isLeftOut ? [`${where} may be left out`] : []),
      ...compareSchemas(comparison, where, [old, now]),
    ];
  });
  if (isOutput) return changes;
  const demanded = neededNow.filter((name) => !neededBefore.includes(name));
  return [...changes, ...demanded.map((name) => `${place}.${name} is required`)];
}

function compareItems(
  comparison: Comparison,
  place: string,
  [before, after]: readonly [JsonSchema, JsonSchema],
): string[] {
  const [olds, news] = [before.additionalProperties, after.additionalProperties];
  return [
    ...(before.items && after.items
      ? compareSchemas(comparison, `${place}[]`, [before.items, after.items])
      : []),
    ...(typeof olds === 'object' && typeof news === 'object'
      ? compareSchemas(comparison, `${place}.*`, [olds, news])
      : []),
  ];
}

function nullChange(
  direction: Direction,
  { wasNull, isNull }: { wasNull: boolean; isNull: boolean },
): string[] {
  if (direction === 'output') return isNull && !wasNull ? ['may be null'] : [];
  return wasNull && !isNull ? ['does not take null'] : [];
}

function admitsNull(schema: JsonSchema): boolean {
  return typesOf(schema)?.has('null') ?? false;
}

function isNullAlone(schema: JsonSchema): boolean {
  return admitsNull(schema) && typesOf(schema)?.size === 1;
}
