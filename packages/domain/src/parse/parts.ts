import type { Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { limits } from '@parley/contract/limits';
import { fitsMessage } from '../parts.ts';
import { fail } from '../problems.ts';
import { invalid, missing, parseArray } from './fields.ts';
import { parsePart, type PartRules } from './part.ts';

/** A request body with all parts of a message; properties are such as `0.body`. docs/protocol/messages.md#parts */
export function parsePartsBody(rules: PartRules, body: unknown): Part[] {
  return readParts(rules, parseArray(body), { property: 'parts', prefix: '' });
}

/** The parts of a message: 1 to 1000, no id twice. `prefix` is put before `parts`. */
export function parseParts(rules: PartRules, value: unknown, prefix = ''): Part[] {
  const property = `${prefix}parts`;
  if (value === undefined || value === null) return missing(property);
  if (!Array.isArray(value)) return invalid(property, 'must be a list of parts.');
  return readParts(rules, value, { property, prefix: `${property}.` });
}

type Place = { property: string; prefix: string };

function readParts(rules: PartRules, list: readonly unknown[], { property, prefix }: Place): Part[] {
  if (list.length === 0 || list.length > limits.maxParts) {
    return invalid(property, `must be 1 to ${limits.maxParts} parts.`);
  }
  const parts = list.map((item, index) => parsePart(rules, item, `${prefix}${index}.`));
  if (parts.length > 1) requireDistinctIds(parts, prefix);
  if (!fitsMessage(parts))
    fail('request_entity_too_large', { message: 'The parts are too much for a message.' });
  return parts;
}

function requireDistinctIds(parts: readonly Part[], prefix: string): void {
  const seen = new Set<string>();
  for (const [index, { id }] of parts.entries()) {
    if (seen.has(id)) invalid(`${prefix}${index}.id`, 'is that of another part.');
    seen.add(id);
  }
}
