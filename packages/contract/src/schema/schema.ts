import Type, { type Static, type TSchema } from 'typebox';

/**
 * The schema `schema` under a name. In a document it stands once, among the components, and is referred to from
 * everywhere else.
 */
export function named<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, $id: name };
}

/** `schema`, or null: absent values of a record are explicit. */
export function nullable<S extends TSchema>(schema: S, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

/** Schema of one of the texts. */
export function oneOf<const Values extends readonly string[]>(values: Values, description: string) {
  // Type.Enum with a type would infer any text.
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });
}

type MapOptions = { description: string; examples?: unknown[]; maxProperties?: number };

/** An object whose keys are not known in advance. */
export function mapOf<S extends TSchema>(schema: S, options: MapOptions) {
  return Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: schema, ...options });
}

/** A moment in UTC with milliseconds. */
export function time(description: string) {
  return Type.String({ format: 'date-time', description, examples: ['2026-11-20T20:15:30.123Z'] });
}

/** A whole number of at least `minimum`. */
export function count(description: string, minimum = 0) {
  return Type.Integer({ minimum, description });
}

/** A property of a request that may be left out; null stands for that too. */
export function optional<S extends TSchema>(schema: S) {
  return Type.Optional(nullable(schema));
}

/** A text of at most `max` characters. */
export function text(description: string, max: number, min = 0) {
  return Type.String({ ...(min > 0 && { minLength: min }), maxLength: max, description });
}

/** A text without U+0000, which the database stores in no text. */
export function storedText(description: string, max: number, min: 0 | 1 = 0) {
  return { ...text(description, max, min), pattern: min === 0 ? '^[^\\u0000]*$' : '^[^\\u0000]+$' };
}

/** The only value that a property may have. */
export function only<const Value extends string>(value: Value, description: string) {
  return oneOf([value], description);
}
