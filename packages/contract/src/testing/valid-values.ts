import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { schemaOf, type JsonSchema, type NamedSchemas } from './json-schema.ts';

/** A schema that contains itself is followed so far. */
const MAX_DEPTH = 3;
/** Lists, maps and texts are short unless the schema wants longer ones, which would show nothing more. */
const MAX_ITEMS = 3;
const MAX_CHARACTERS = 20;
const MAX_MATCH = 120;

type Values = fc.Arbitrary<unknown>;
type Place = { named: NamedSchemas; depth: number };

/** Values that a schema accepts. */
export function validValues(schema: TSchema, named: NamedSchemas = {}): Values {
  return valuesOf(schema, { named, depth: 0 });
}

function valuesOf(schema: JsonSchema, place: Place): Values {
  const { named, depth } = place;
  if (schema.$ref !== undefined) return valuesOf(schemaOf(schema, named), { named, depth: depth + 1 });
  if (schema.anyOf) {
    const variants = schema.anyOf.filter(({ $ref }) => $ref === undefined || depth < MAX_DEPTH);
    return fc.oneof(...variants.map((variant) => valuesOf(variant, place)));
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const make = MAKERS[schema.type ?? 'anything'];
  if (!make) throw new Error(`no values can be made for ${JSON.stringify(schema)}`);
  return make(schema, place);
}

const MAKERS: Readonly<Record<string, (schema: JsonSchema, place: Place) => Values>> = {
  anything: () => fc.constantFrom('text', 1.5, true, ['text'], { key: 'text' }),
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum = -1_000_000, maximum = 1_000_000 }) =>
    fc.integer({ min: minimum, max: Math.max(minimum, maximum) }),
  number: ({ minimum = -1e6, maximum = 1e6 }) => fc.double({ min: minimum, max: maximum, noNaN: true }),
  string: texts,
  array: ({ items = {}, minItems = 0, maxItems = Infinity, uniqueItems = false }, place) =>
    (uniqueItems ? fc.uniqueArray : fc.array)(valuesOf(items, place), {
      minLength: minItems,
      maxLength: Math.max(minItems, Math.min(maxItems, MAX_ITEMS)),
    }),
  object: (schema, place) => (schema.properties ? records(schema, place) : maps(schema, place)),
};

function texts(schema: JsonSchema): Values {
  const { pattern, format, minLength = 0, maxLength = Infinity, examples } = schema;
  if (pattern !== undefined) return matching(pattern, schema);
  if (format !== undefined) {
    if (examples) return fc.constantFrom(...examples);
    throw new Error(`a text of the format ${format} needs examples`);
  }
  const longest = Math.max(minLength, Math.min(maxLength, MAX_CHARACTERS));
  return fc.string({ unit: 'binary', minLength, maxLength: longest });
}

/** Values by length and pattern: a negated class takes a second to make. */
const MATCHING = new Map<string, Values>();

/** The examples stand for a pattern that looks ahead, which fast-check does not follow. */
function matching(pattern: string, schema: JsonSchema): Values {
  if (pattern.includes('(?!')) return fc.constantFrom(...(schema.examples ?? []));
  const maxLength = Math.min(schema.maxLength ?? MAX_MATCH, MAX_MATCH);
  const key = `${maxLength} ${pattern}`;
  const values = MATCHING.get(key) ?? fc.stringMatching(new RegExp(pattern, 'u'), { maxLength });
  MATCHING.set(key, values);
  return values;
}

function records({ properties = {}, required = [] }: JsonSchema, place: Place): Values {
  const values = Object.entries(properties).map(([key, schema]) => [key, valuesOf(schema, place)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: [...required], noNullPrototype: true });
}

function maps({ additionalProperties, propertyNames }: JsonSchema, place: Place): Values {
  if (!additionalProperties) return fc.constant({});
  const keys = propertyNames ? valuesOf(propertyNames, place) : fc.stringMatching(/^[a-z. ]{1,8}$/);
  return fc.dictionary(keys.map(String), valuesOf(additionalProperties, place), {
    maxKeys: MAX_ITEMS,
    noNullPrototype: true,
  });
}
