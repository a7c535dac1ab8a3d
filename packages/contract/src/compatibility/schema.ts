import { compareLimits } from './limits.ts';
import { resolve, typesOf, valuesOf, type Schema } from './resolve.ts';

/** `input`: a client sends values of the schema, the platform reads them. `output`: the other way round. */
export type Direction = 'input' | 'output';

/** Two documents, in which references are resolved, and the direction in which values go. */
export type Comparison = { before: object; after: object; direction: Direction };

type Pair = { before: unknown; after: unknown; path: string };

/**
 * Differences by which a client that knows the schema `before` fails with the schema `after`, one sentence each. An answer may
 * have more properties, values and kinds of objects, since clients ignore what they do not know; a request may have more
 * that is optional.
 */
export function compareSchemas(comparison: Comparison, pair: Pair): string[] {
  return [...new Set(compare({ ...comparison, seen: new Set() }, pair))];
}

type Context = Comparison & { seen: Set<string> };

function compare(context: Context, { before: given, after: now, path }: Pair): string[] {
  const key = `${referenceOf(given)} ${referenceOf(now)}`;
  if (key !== ' ' && context.seen.has(key)) return [];
  if (key !== ' ') context.seen.add(key);
  const before = resolve(context.before, given);
  const after = resolve(context.after, now);
  const unions = compareUnions(context, { before, after, path });
  if (unions) return unions;
  return [
    ...compareTypes(context, { before, after, path }),
    ...compareValues({ before, after, path }),
    ...compareLimits(context.direction, { before, after, path }),
    ...compareObjects(context, { before, after, path }),
    ...compareNested(context, { before, after, path }),
  ];
}

function referenceOf(schema: unknown): string {
  return typeof schema === 'object' && schema !== null && '$ref' in schema ? String(schema.$ref) : '';
}

type Schemas = { before: Schema; after: Schema; path: string };

function compareTypes({ direction }: Context, { before, after, path }: Schemas): string[] {
  const [old, fresh] = [typesOf(before), typesOf(after)];
  const [narrow, wide] = direction === 'input' ? [old, fresh] : [fresh, old];
  if (wide.size === 0 || [...narrow].every((type) => wide.has(type))) {
    return narrow.size === 0 && wide.size > 0 ? [`${path}: the type is another`] : [];
  }
  return [`${path}: the type was ${list(old)} and is ${list(fresh)}`];
}

function list(types: ReadonlySet<string>): string {
  return [...types].sort().join(' or ') || 'any';
}

/** Compares the values of an enumeration, which have to stay in both directions. */
function compareValues({ before, after, path }: Schemas): string[] {
  const [old, fresh] = [valuesOf(before), valuesOf(after)];
  if (!old) return fresh && typesOf(before).size > 0 ? [`${path}: only certain values are left`] : [];
  if (!fresh) return [];
  const kept = new Set(fresh.map((value) => JSON.stringify(value)));
  return old
    .map((value) => JSON.stringify(value))
    .filter((value) => !kept.has(value))
    .map((value) => `${path}: the value ${value} is gone`);
}

function compareObjects(context: Context, { before, after, path }: Schemas): string[] {
  const { properties: old = {}, required: oldRequired = [] } = before;
  const { properties: fresh = {}, required: freshRequired = [] } = after;
  const removed = Object.keys(old).filter((name) => !Object.hasOwn(fresh, name));
  const [wanted, left] =
    context.direction === 'input' ? [freshRequired, oldRequired] : [oldRequired, freshRequired];
  const rule = context.direction === 'input' ? 'is required now' : 'may be missing now';
  return [
    ...removed.map((name) => `${path}.${name}: the property is gone`),
    ...wanted
      .filter((name) => !left.includes(name) && !removed.includes(name))
      .map((name) => `${path}.${name}: ${rule}`),
    ...Object.keys(old)
      .filter((name) => Object.hasOwn(fresh, name))
      .flatMap((name) =>
        compare(context, { before: old[name], after: fresh[name], path: `${path}.${name}` }),
      ),
  ];
}

/** Keywords with one schema, and how a path names its values. */
const NESTED = [
  ['items', '[]'],
  ['propertyNames', ' name'],
  ['contentSchema', ' content'],
] as const;

function compareNested(context: Context, { before, after, path }: Schemas): string[] {
  const found = NESTED.flatMap(([keyword, place]) =>
    before[keyword] && after[keyword]
      ? compare(context, { before: before[keyword], after: after[keyword], path: `${path}${place}` })
      : [],
  );
  const [old, fresh] = [before.additionalProperties, after.additionalProperties];
  if (fresh === false && old !== false) found.push(`${path}: other properties are refused now`);
  else if (typeof old === 'object' && typeof fresh === 'object') {
    found.push(...compare(context, { before: old, after: fresh, path: `${path}.*` }));
  }
  return [
    ...found,
    ...compareTuples(context, { before, after, path }),
    ...compareAll(context, { before, after, path }),
  ];
}

/** Each place of a tuple has a schema of its own. */
function compareTuples(context: Context, { before, after, path }: Schemas): string[] {
  const [old, fresh] = [before.prefixItems ?? [], after.prefixItems ?? []];
  const gone = old.length > fresh.length && context.direction === 'output';
  const added = fresh.length > old.length && context.direction === 'input';
  return [
    ...(gone || added ? [`${path}: the number of items is another`] : []),
    ...old
      .slice(0, fresh.length)
      .flatMap((item, index) =>
        compare(context, { before: item, after: fresh[index], path: `${path}[${index}]` }),
      ),
  ];
}

/** Parts of an `allOf` are compared by their places. */
function compareAll(context: Context, { before, after, path }: Schemas): string[] {
  const [old, fresh] = [before.allOf ?? [], after.allOf ?? []];
  const [few, many] = context.direction === 'input' ? [old, fresh] : [fresh, old];
  const more = many.length > few.length ? [`${path}: the number of combined schemas is another`] : [];
  return [
    ...more,
    ...old
      .slice(0, fresh.length)
      .flatMap((part, index) => compare(context, { before: part, after: fresh[index], path })),
  ];
}

/** Undefined: neither schema is a union. */
function compareUnions(context: Context, { before, after, path }: Schemas): string[] | undefined {
  const [old, fresh] = [before.anyOf ?? before.oneOf, after.anyOf ?? after.oneOf];
  if (!old && !fresh) return undefined;
  const [branches, others] = [old ?? [before], fresh ?? [after]];
  const lost = branches.flatMap((branch) => lostBranch(context, { branch, others, path }));
  return context.direction === 'input' ? lost : [...lost, ...newTypes(context, { branches, others, path })];
}

type Branch = { branch: unknown; others: readonly unknown[]; path: string };

/** A branch of the old union has to be one of the new, or its nearest relative says what is wrong. */
function lostBranch(context: Context, { branch, others, path }: Branch): string[] {
  const attempts = others.map((after) =>
    compare({ ...context, seen: new Set(context.seen) }, { before: branch, after, path }),
  );
  const [best = [`${path}: a kind of value is gone`]] = attempts.sort((a, b) => a.length - b.length);
  return best;
}

/** An answer may have new kinds of objects, but no new type of JSON, such as null. */
function newTypes(
  context: Context,
  { branches, others, path }: { branches: readonly unknown[]; others: readonly unknown[]; path: string },
): string[] {
  const old = new Set(branches.flatMap((branch) => [...typesOf(resolve(context.before, branch))]));
  const fresh = new Set(others.flatMap((branch) => [...typesOf(resolve(context.after, branch))]));
  return [...fresh].filter((type) => !old.has(type)).map((type) => `${path}: may be ${type} now`);
}
