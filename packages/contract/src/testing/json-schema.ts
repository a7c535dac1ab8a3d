import type { TSchema } from 'typebox';
import Schema from 'typebox/schema';

export type { TSchema };

/** The keywords that schemas of request bodies use. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly unknown[];
};

/** Schemas that others refer to by name. */
export type NamedSchemas = Readonly<Record<string, TSchema>>;

export function schemaOf(schema: JsonSchema, named: NamedSchemas): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const found = named[schema.$ref];
  if (!found) throw new Error(`there is no schema of the name ${schema.$ref}`);
  return found;
}

type Check = (value: unknown) => boolean;

const CHECKS = new WeakMap<JsonSchema, Check>();

/** Tells whether a schema accepts a value. */
export function checkOf(schema: JsonSchema, named: NamedSchemas): Check {
  const known = CHECKS.get(schema);
  if (known) return known;
  const validator = Schema.Compile({ ...named }, schema);
  const check: Check = (value) => validator.Check(value);
  CHECKS.set(schema, check);
  return check;
}
