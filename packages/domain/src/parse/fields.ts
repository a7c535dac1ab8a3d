import { fail } from '../problems.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A request body that must be an object. Fails with invalid_request. */
export function parseObject(body: unknown): Fields {
  return isFields(body) ? body : fail('invalid_request', { message: 'The body must be a JSON object.' });
}

/** An optional object: absent and null count as empty. Fails with invalid_request. */
export function optionalObject(value: unknown): Fields {
  return parseObject(value ?? {});
}

/** A request body that must be an array. Fails with invalid_request. */
export function parseArray(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : fail('invalid_request', { message: 'The body must be a JSON array.' });
}

export function missing(property: string): never {
  return fail('missing_property', { property, message: `${property} is required.` });
}

/** `rule` completes the sentence that begins with the property. */
export function invalid(property: string, rule: string): never {
  return fail('invalid_property', { property, message: `${property} ${rule}` });
}

/** Treats null as absent. */
export function optional(fields: Fields, name: string): unknown {
  return fields[name] ?? undefined;
}

/** Well-formed text; null counts as absent. `property` is the path to the field in the request. */
export function optionalText(fields: Fields, name: string, property = name): string | undefined {
  const value = optional(fields, name);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return invalid(property, 'must be a string.');
  return value.isWellFormed() ? value : invalid(property, 'must be well-formed Unicode.');
}

export function requiredText(fields: Fields, name: string, property = name): string {
  return optionalText(fields, name, property) ?? missing(property);
}

export function optionalFlag(fields: Fields, name: string, property = name): boolean | undefined {
  const value = optional(fields, name);
  return value === undefined || typeof value === 'boolean'
    ? value
    : invalid(property, 'must be true or false.');
}
