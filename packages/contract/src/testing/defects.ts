import type { TSchema } from 'typebox';
import { checkOf, schemaOf, type JsonSchema, type NamedSchemas } from './json-schema.ts';

/** A value that a schema refuses for one reason. */
export type Defect = {
  /** Path of the defect, such as `parts.0.body`; empty: the whole value. */
  path: string;
  kind: 'wrong type' | 'missing key' | 'out of range' | 'unknown value' | 'broken pattern';
  value: unknown;
};

/** Sample values, one of each type of JSON. */
const SAMPLES = [null, true, 1.5, 'text', [], {}] as const;
const BROKEN_TEXTS = ['', ' ', 'not valid!', 'svc:///bogus/1', 'other:///bogus', '..', '\0'];

/** Every value that is the given valid one with a single defect, and refused by the schema. */
export function* defectsOf(schema: TSchema, value: unknown, named: NamedSchemas = {}): Generator<Defect> {
  const accepts = checkOf(schema, named);
  for (const { path, kind, value: bent } of bend(schema, value, named)) {
    if (!accepts(bent)) yield { path: path.join('.'), kind, value: bent };
  }
}

type Bent = Omit<Defect, 'path'> & { path: readonly string[] };

function* bend(given: JsonSchema, value: unknown, named: NamedSchemas): Generator<Bent> {
  const schema = schemaOf(given, named);
  if (schema.anyOf) {
    yield* bendUnion(schema.anyOf, value, named);
    return;
  }
  for (const sample of SAMPLES) {
    if (typeOf(sample) !== typeOf(value)) yield { path: [], kind: 'wrong type', value: sample };
  }
  if (typeof value === 'string') yield* bendText(schema, value);
  if (typeof value === 'number') yield* bendNumber(schema);
  if (Array.isArray(value)) yield* bendArray(schema, value, named);
  else if (isObject(value)) yield* bendObject(schema, value, named);
}

/** The defects of the variant that the value is of. Another variant's type is not a wrong type. */
function* bendUnion(variants: readonly JsonSchema[], value: unknown, named: NamedSchemas): Generator<Bent> {
  const fitting = variants.find((variant) => checkOf(variant, named)(value));
  if (!fitting) return;
  const types = new Set(variants.map((variant) => schemaOf(variant, named).type));
  for (const bent of bend(fitting, value, named)) {
    const isOfType = bent.path.length === 0 && bent.kind === 'wrong type' && types.has(typeOf(bent.value));
    if (!isOfType) yield bent;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* bendText(schema: JsonSchema, value: string): Generator<Bent> {
  const { minLength = 0, maxLength, pattern } = schema;
  if (schema.enum ?? schema.const) yield { path: [], kind: 'unknown value', value: 'bogus' };
  if (minLength > 0) yield { path: [], kind: 'out of range', value: value.slice(0, minLength - 1) };
  if (maxLength !== undefined) {
    yield { path: [], kind: 'out of range', value: value.padEnd(maxLength + 1, 'x') };
  }
  if (pattern === undefined) return;
  for (const text of BROKEN_TEXTS) {
    if (!new RegExp(pattern, 'u').test(text)) yield { path: [], kind: 'broken pattern', value: text };
  }
}

function* bendNumber({ minimum, maximum, type }: JsonSchema): Generator<Bent> {
  if (minimum !== undefined) yield { path: [], kind: 'out of range', value: minimum - 1 };
  if (maximum !== undefined) yield { path: [], kind: 'out of range', value: maximum + 1 };
  if (type === 'integer') yield { path: [], kind: 'wrong type', value: (minimum ?? 0) + 0.5 };
}

function* bendArray(
  { items = {}, minItems = 0, maxItems }: JsonSchema,
  value: readonly unknown[],
  named: NamedSchemas,
): Generator<Bent> {
  if (minItems > 0) yield { path: [], kind: 'out of range', value: value.slice(0, minItems - 1) };
  if (maxItems !== undefined && value.length > 0) {
    const many = Array.from({ length: maxItems + 1 }, (_, index) => value[index % value.length]);
    yield { path: [], kind: 'out of range', value: many };
  }
  for (const [index, item] of value.entries()) {
    for (const bent of bend(items, item, named)) {
      yield { ...bent, path: [String(index), ...bent.path], value: value.with(index, bent.value) };
    }
  }
}

function* bendObject(
  { properties, required = [], additionalProperties, maxProperties }: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  named: NamedSchemas,
): Generator<Bent> {
  for (const key of required) {
    const { [key]: _, ...rest } = value;
    yield { path: [key], kind: 'missing key', value: rest };
  }
  if (maxProperties !== undefined)
    yield { path: [], kind: 'out of range', value: widen(value, maxProperties) };
  for (const [key, item] of Object.entries(value)) {
    const schema = properties?.[key] ?? additionalProperties;
    if (!schema) continue;
    for (const bent of bend(schema, item, named)) {
      yield { ...bent, path: [key, ...bent.path], value: { ...value, [key]: bent.value } };
    }
  }
}

/** The value with one key too many. */
function widen(value: Readonly<Record<string, unknown>>, maxProperties: number): Record<string, unknown> {
  const [sample = 'text'] = Object.values(value);
  const added = Array.from({ length: maxProperties + 1 }, (_, index) => [`key${index}`, sample] as const);
  return { ...value, ...Object.fromEntries(added) };
}
