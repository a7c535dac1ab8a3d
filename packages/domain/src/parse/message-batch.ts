import { limits } from '@parley/contract/limits';
import { parseUri } from '../ids.ts';
import type { Wire } from '../wire.ts';
import { invalid, isFields, optional, parseArray, type Fields } from './fields.ts';
import type { PartRules } from './part.ts';
import { readServerMessage, type ServerMessageInput } from './message.ts';

/**
 * A batch of 1 to 12 messages. An error of an item is a missing_property or invalid_property with a property
 * such as `3.parts.0.body`, and fails the whole batch. docs/protocol/messages.md#batches
 */
export function parseMessageBatch(rules: PartRules, body: unknown): ServerMessageInput[] {
  const items = parseArray(body);
  if (items.length === 0) invalid('0', 'must be there: a batch holds at least one message.');
  if (items.length > limits.batchMessages) {
    invalid(
      String(limits.batchMessages),
      `is too much: a batch holds at most ${limits.batchMessages} messages.`,
    );
  }
  const inputs = items.map((item, index) => readItem(rules, item, `${index}.`));
  requireDistinctIds(inputs);
  return inputs;
}

function readItem(rules: PartRules, item: unknown, prefix: string): ServerMessageInput {
  if (!isFields(item)) return invalid(prefix.slice(0, -1), 'must be an object.');
  if (optional(item, 'schedule') !== undefined) invalid(`${prefix}schedule`, 'is not possible in a batch.');
  return readServerMessage(rules, item, { id: readId(rules.wire, item, prefix), prefix });
}

function readId(wire: Wire, item: Fields, prefix: string): string | undefined {
  const given = optional(item, 'id');
  if (given === undefined) return undefined;
  const id = typeof given === 'string' ? parseUri(wire, 'messages', given) : undefined;
  return id ?? invalid(`${prefix}id`, 'must be a UUID or the URI of a message.');
}

function requireDistinctIds(inputs: readonly ServerMessageInput[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of inputs.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) invalid(`${index}.id`, 'is that of another message of the batch.');
    seen.add(id);
  }
}
