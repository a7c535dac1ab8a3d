/** A JSON Schema in a document, as far as compatibility is concerned. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
} & Partial<Record<LimitName, number>>;

export type LimitName = (typeof LIMITS)[number];

/** Limits of values: those with `min` may fall, those with `max` may rise. */
export const LIMITS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

/** What `#/…` refers to in a document; undefined: nothing. */
export function resolve<T>(document: object, value: T): T | undefined {
  const ref = (value as { $ref?: string } | undefined)?.$ref;
  if (ref === undefined) return value;
  let found: unknown = document;
  for (const key of ref.slice(2).split('/').map(unescape)) found = (found as Record<string, unknown>)?.[key];
  return found as T | undefined;
}

/** The alternatives of a schema, none of which is a reference or a choice itself. */
export function alternatives(document: object, schema: JsonSchema): JsonSchema[] {
  const plain = resolve(document, schema) ?? {};
  const choice = plain.anyOf ?? plain.oneOf;
  if (choice) return choice.flatMap((one) => alternatives(document, one));
  if (plain.allOf) return [merge(plain.allOf.map((one) => alternatives(document, one)[0] ?? {}))];
  return [plain];
}

/** The types of values that an alternative describes; undefined: any. */
export function typesOf({ type, enum: values, const: value }: JsonSchema): ReadonlySet<string> | undefined {
  if (type !== undefined) return new Set([type].flat());
  const known = values ?? (value === undefined ? undefined : [value]);
  return known && new Set(known.map((one) => (one === null ? 'null' : typeof one)));
}

function merge(schemas: JsonSchema[]): JsonSchema {
  return {
    ...Object.assign({}, ...schemas),
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)) as Record<
      string,
      JsonSchema
    >,
    required: schemas.flatMap(({ required = [] }) => required),
  } as JsonSchema;
}

function unescape(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
