import type { TSchema } from 'typebox';
import Schema from 'typebox/schema';
import { Metadata } from '../records/metadata.ts';

/**
 * Differences between a value and its schema. Unlike the published schemas, which are open, this one refuses
 * properties that are not described.
 */
export function mismatches(schema: TSchema, value: unknown): string[] {
  const [, errors] = Schema.Errors({ Metadata }, closed(schema) as TSchema, value);
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const isOpen = 'properties' in schema && 'type' in schema && !('additionalProperties' in schema);
  const inner = Object.fromEntries(Object.entries(schema).map(([key, item]) => [key, closed(item)]));
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}
