import type { Wire } from '../wire.ts';
import { notAccepted, parseName } from './choice.ts';
import { invalid, isFields, missing, optional, requiredText, type Fields } from './fields.ts';
import { parseIdentityList, parseIdentityValue } from './identity-refs.ts';
import { parseSteps } from './steps.ts';

export type BlockChange = { operation: 'add' | 'remove' | 'set'; userIds: string[] };

export type UserPatch = {
  /** The last value set; undefined: unchanged. */
  suspended: boolean | undefined;
  /** Changes of blocks, in order. */
  blocks: BlockChange[];
};

/**
 * `[{operation: set, property: suspended, value}, {operation: add|remove|set, property: blocks, id|value}, …]`.
 * Fails with invalid_request, missing_property, invalid_property. docs/protocol/users.md#suspension
 */
export function parseUserPatch(wire: Wire, body: unknown): UserPatch {
  const patch: UserPatch = { suspended: undefined, blocks: [] };
  for (const [index, step] of parseSteps(body).entries()) {
    const prefix = `${index}.`;
    if (!isFields(step)) return invalid(String(index), 'must be an object.');
    const property = requiredText(step, 'property', `${prefix}property`);
    const operation = requiredText(step, 'operation', `${prefix}operation`);
    if (property === 'blocks') patch.blocks.push(parseBlockStep(wire, step, { operation, prefix }));
    else if (property === 'suspended') patch.suspended = parseSuspended(step, { operation, prefix });
    else notAccepted(`${prefix}property`, ['suspended', 'blocks']);
  }
  return patch;
}

/** Parses a patch that may change blocks only. */
export function parseBlocksPatch(wire: Wire, body: unknown): BlockChange[] {
  const { suspended, blocks } = parseUserPatch(wire, body);
  return suspended === undefined ? blocks : notAccepted('property', ['blocks']);
}

type Place = { operation: string; prefix: string };

function parseSuspended(step: Fields, { operation, prefix }: Place): boolean {
  parseName(['set'], operation, `${prefix}operation`);
  const value = optional(step, 'value') ?? missing(`${prefix}value`);
  return typeof value === 'boolean' ? value : invalid('suspended', 'must be true or false.');
}

function parseBlockStep(wire: Wire, step: Fields, { operation: given, prefix }: Place): BlockChange {
  const operation = parseName(['add', 'remove', 'set'], given, `${prefix}operation`);
  if (operation === 'set') {
    const list = optional(step, 'value') ?? missing(`${prefix}value`);
    return { operation, userIds: parseIdentityList(wire, list, { property: 'blocks' }) };
  }
  const identity = optional(step, 'id') ?? optional(step, 'value') ?? missing(`${prefix}id`);
  return { operation, userIds: [parseIdentityValue(wire, identity, 'blocks')] };
}
