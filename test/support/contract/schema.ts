/** Any part of a JSON document. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

const COMPONENTS = '#/components/schemas/';
/** The name of a component whose objects may have further properties. */
const OPEN = '.open';

/**
 * The schemas of a document as a strict schema document. Published schemas are open, since clients ignore what they do not
 * know; here an object may have only the properties that are described.
 */
export function strictSchemas(schemas: JsonObject): JsonObject {
  const strict: JsonObject = {};
  for (const [name, schema] of Object.entries(schemas)) {
    strict[name] = close(schema);
    strict[`${name}${OPEN}`] = open(schema);
  }
  return strict;
}

/** A schema in which no object has properties that it does not describe. */
export function close(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(close);
  if (!isObject(schema)) return schema;
  const closed = mapKeywords(schema, close, open);
  // An object without any described property may have all.
  const describesObject = hasKeys(schema['properties']) || schema['allOf'] !== undefined;
  const isClosed =
    schema['additionalProperties'] !== undefined || schema['unevaluatedProperties'] !== undefined;
  if (!describesObject || isClosed) return closed;
  // The second keyword looks into the parts of the schema, and costs many times as much.
  const isPlain = PARTS.every((keyword) => schema[keyword] === undefined);
  return { ...closed, [isPlain ? 'additionalProperties' : 'unevaluatedProperties']: false };
}

/** Keywords whose schemas may describe further properties of the same object. */
const PARTS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'];

/** A part of an `allOf`: its own object may have the properties of the other parts. */
function open(schema: JsonValue): JsonValue {
  if (!isObject(schema)) return schema;
  const { $ref } = schema;
  if (typeof $ref === 'string' && $ref.startsWith(COMPONENTS)) return { ...schema, $ref: `${$ref}${OPEN}` };
  return mapKeywords(schema, close, open);
}

/** Applies `whole` to each schema that describes a whole value, and `part` to each part of an `allOf`. */
function mapKeywords(
  schema: JsonObject,
  whole: (schema: JsonValue) => JsonValue,
  part: (schema: JsonValue) => JsonValue,
): JsonObject {
  const mapped: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'example' || keyword === 'examples' || keyword === 'default') continue;
    if (keyword === 'properties' || keyword === 'patternProperties')
      mapped[keyword] = mapValues(value, whole);
    else if (keyword === 'allOf' && Array.isArray(value)) mapped[keyword] = value.map(part);
    else if (keyword === 'enum' || keyword === 'const' || keyword === 'required') mapped[keyword] = value;
    else mapped[keyword] = whole(value);
  }
  return mapped;
}

function mapValues(value: JsonValue | undefined, convert: (value: JsonValue) => JsonValue): JsonValue {
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, convert(schema)]));
}

function hasKeys(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
