/** The keywords of JSON Schema that are compared. */
export type Schema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, unknown>;
  required?: string[];
  items?: unknown;
  prefixItems?: unknown[];
  propertyNames?: unknown;
  /** Schema of the value that a text contains. */
  contentSchema?: unknown;
  additionalProperties?: unknown;
  allOf?: unknown[];
  anyOf?: unknown[];
  oneOf?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
};

/** A schema of a document; a reference is followed within the document. Fails with an Error when it leads nowhere. */
export function resolve(document: object, schema: unknown): Schema {
  let found = schema;
  while (typeof found === 'object' && found !== null && '$ref' in found) {
    found = at(document, String(found.$ref));
  }
  if (typeof found !== 'object' || found === null) return {};
  return found;
}

/** Finds what a reference such as `#/components/schemas/Message` names. Fails with an Error when that is nothing. */
export function at(document: object, reference: string): unknown {
  const path = reference.split('/').slice(1);
  return path.reduce<unknown>((place, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) {
      throw new Error(`the document has no ${reference}`);
    }
    return (place as Record<string, unknown>)[key];
  }, document);
}

/** The types of JSON that a schema names; an integer is a number. None: any. */
export function typesOf({ type, ...schema }: Schema): ReadonlySet<string> {
  if (type !== undefined) return new Set([type].flat());
  return new Set((valuesOf(schema) ?? []).map((value) => (value === null ? 'null' : typeof value)));
}

/** The only values that a schema allows. */
export function valuesOf(schema: Schema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}
