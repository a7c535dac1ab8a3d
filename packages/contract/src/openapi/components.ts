import type { TSchema } from 'typebox';

/** Schemas by name, as they stand among the components of a document. */
export type Components = Map<string, object>;

/**
 * `schema` as plain JSON for a document: each schema with a name is moved to `components` and replaced by a reference.
 * Two different schemas of one name are a mistake. Fails with an Error.
 */
export function toJsonSchema(schema: TSchema, components: Components): object {
  return convert(schema, components) as object;
}

function convert(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(item, components));
  if (typeof value !== 'object' || value === null) return value;
  const { $id, $ref, ...rest } = value as Record<string, unknown>;
  if (typeof $ref === 'string') return { ...rest, ...referenceTo($ref) };
  if (typeof $id !== 'string') return convertProperties(rest, components);
  define($id, rest, components);
  return referenceTo($id);
}

/** A schema that contains itself does so by `Type.Ref` with its name. */
function referenceTo(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function convertProperties(value: Record<string, unknown>, components: Components): object {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convert(item, components)]));
}

function define(name: string, schema: Record<string, unknown>, components: Components): void {
  const known = components.get(name);
  // Set before its parts are converted, so that a schema may refer to itself.
  if (!known) components.set(name, {});
  const converted = convertProperties(schema, components);
  if (known && JSON.stringify(known) !== JSON.stringify(converted)) {
    throw new Error(`there are two schemas of the name ${name}`);
  }
  components.set(name, converted);
}
