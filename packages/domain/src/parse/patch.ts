import type { JsonValue, MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { ROLES } from '@parley/contract/policy';
import {
  History,
  ParticipantRoleSchema,
  PatchOperationSchema,
  type PatchOperation,
} from '@parley/proto/parley/messaging/v1/conversation_pb';
import { splitPath } from '../metadata/dotted-path.ts';
import { limits } from '@parley/contract/limits';
import {
  isMessageMetadata,
  isMessageMetadataLeaf,
  isMetadata,
  isMetadataKey,
  isStorableText,
  metadataSize,
} from '../metadata.ts';
import { toValue } from '../metadata/patch.ts';
import type { Wire } from '../wire.ts';
import { notAccepted, parseChoice, parseName } from './choice.ts';
import { invalid, isFields, missing, optional, requiredText, type Fields } from './fields.ts';
import { parseIdentityList, parseIdentityValue } from './identity-refs.ts';
import { parseSteps } from './steps.ts';

/**
 * A patch array for a conversation. Fails with invalid_request, missing_property, invalid_property.
 * docs/protocol/conversations.md#change-a-conversation
 */
export function parsePatch(wire: Wire, body: unknown): PatchOperation[] {
  const left = { bytes: limits.metadataPatchBytes };
  return parseSteps(body).map((step, index) => readStep({ wire, left }, step, `${index}.`));
}

/**
 * A patch array for a message, whose steps concern its metadata. Fails with invalid_request, missing_property, invalid_property.
 * docs/protocol/messages.md#metadata
 */
export function parseMessagePatch(body: unknown): PatchOperation[] {
  const left = { bytes: limits.metadataPatchBytes };
  return parseSteps(body).map((step, index) => {
    const prefix = `${index}.`;
    if (!isFields(step)) return invalid(prefix.slice(0, -1), 'must be an object.');
    const operation = requiredText(step, 'operation', `${prefix}operation`);
    const [root, ...path] = splitPath(requiredText(step, 'property', `${prefix}property`));
    if (root !== 'metadata') return notAccepted(`${prefix}property`, ['metadata', 'metadata.<key>']);
    return metadataStep(path, { step, operation, prefix, left, rules: OF_MESSAGE });
  });
}

/** `left`: what further steps may name and set of metadata, in bytes. */
type Reading = { wire: Wire; left: { bytes: number } };

function readStep({ wire, left }: Reading, step: unknown, prefix: string): PatchOperation {
  if (!isFields(step)) return invalid(prefix.slice(0, -1), 'must be an object.');
  const operation = requiredText(step, 'operation', `${prefix}operation`);
  const property = requiredText(step, 'property', `${prefix}property`);
  if (property === 'participants') return participantStep(wire, { step, operation, prefix });
  if (property === 'frozen') return frozenStep({ step, operation, prefix });
  if (property === 'slow_mode_in_seconds') return slowModeStep({ step, operation, prefix });
  const [root, ...path] = splitPath(property);
  if (root === 'roles' && path.length === 1)
    return roleStep(wire, path[0] ?? '', { step, operation, prefix });
  if (root === 'history' && path.length === 1)
    return historyStep(wire, { step, operation, prefix, user: path[0]! });
  if (root === 'metadata')
    return metadataStep(path, { step, operation, prefix, left, rules: OF_CONVERSATION });
  return notAccepted(`${prefix}property`, ACCEPTED);
}

const ACCEPTED = [
  'metadata',
  'metadata.<key>',
  'participants',
  'history.<user id>',
  'roles.<identity>',
  'frozen',
  'slow_mode_in_seconds',
];

type Step = { step: Fields; operation: string; prefix: string };

/** The form of metadata, which differs between records. */
type MetadataRules = {
  form: string;
  mostBytes: number;
  isLeaf(value: unknown): boolean;
  isObject(value: unknown, depth: number): boolean;
};

const OF_CONVERSATION: MetadataRules = {
  form: 'must be nested objects with strings as leaves.',
  mostBytes: limits.metadataBytes,
  isLeaf: (value) => typeof value === 'string' && isStorableText(value),
  isObject: isMetadata,
};

const OF_MESSAGE: MetadataRules = {
  form: 'must be nested objects with strings, numbers and booleans as leaves.',
  mostBytes: limits.messageMetadataBytes,
  isLeaf: isMessageMetadataLeaf,
  isObject: isMessageMetadata,
};

function metadataStep(
  path: string[],
  { step, operation, prefix, left, rules }: Step & Pick<Reading, 'left'> & { rules: MetadataRules },
): PatchOperation {
  const { form, mostBytes } = rules;
  if (path.length >= limits.metadataDepth || !path.every(isMetadataKey)) return invalid('metadata', form);
  takeBytes(left, mostBytes, Buffer.byteLength(path.join('.')));
  if (parseName(['set', 'delete'], operation, `${prefix}operation`) === 'delete') {
    return toOperation({ case: 'deleteMetadata', value: { path } });
  }
  const value = optional(step, 'value') ?? missing(`${prefix}value`);
  const isLeaf = path.length > 0 && rules.isLeaf(value);
  if (!isLeaf && !rules.isObject(value, limits.metadataDepth - path.length)) return invalid('metadata', form);
  takeBytes(left, mostBytes, metadataSize(value as JsonValue));
  return toOperation({ case: 'setMetadata', value: { path, value: toValue(value as JsonValue) } });
}

// What alone is larger than metadata can be is refused here, before a step is applied.
function takeBytes(left: { bytes: number }, most: number, bytes: number): void {
  if (bytes > most) return invalid('metadata', `must have at most ${most} bytes as JSON.`);
  left.bytes -= bytes;
  if (left.bytes < 0) {
    const all = limits.metadataPatchBytes;
    invalid('metadata', `must not be changed by steps whose paths and values have more than ${all} bytes.`);
  }
}

function participantStep(wire: Wire, { step, operation: given, prefix }: Step): PatchOperation {
  const operation = parseName(['add', 'remove', 'set'], given, `${prefix}operation`);
  if (operation === 'set') {
    const list = optional(step, 'value') ?? missing(`${prefix}value`);
    const userIds = parseIdentityList(wire, list, { property: 'participants' });
    if (userIds.length === 0) invalid('participants', 'must be at least one identity.');
    return {
      ...toOperation({ case: 'setParticipants', value: { userIds } }),
      history: historyOf(step, prefix),
    };
  }
  const identity = optional(step, 'id') ?? optional(step, 'value') ?? missing(`${prefix}id`);
  const value = parseIdentityValue(wire, identity, 'participants');
  if (operation === 'remove') return toOperation({ case: 'removeParticipant', value });
  return { ...toOperation({ case: 'addParticipant', value }), history: historyOf(step, prefix) };
}

const HISTORIES = { all: History.ALL, none: History.NONE } as const;

/** Parses how much of the time before a step shows those whom it adds. */
function historyOf(step: Fields, prefix: string): History {
  const given = optional(step, 'history');
  return given === undefined ? History.UNSPECIFIED : parseChoice(HISTORIES, given, `${prefix}history`);
}

function historyStep(wire: Wire, { step, operation, prefix, user }: Step & { user: string }): PatchOperation {
  parseName(['set'], operation, `${prefix}operation`);
  const value = parseIdentityValue(wire, user, `${prefix}property`);
  parseName(['all'], optional(step, 'value') ?? missing(`${prefix}value`), `${prefix}value`);
  return toOperation({ case: 'showHistory', value });
}

function roleStep(wire: Wire, identity: string, { step, operation, prefix }: Step): PatchOperation {
  const userId = parseIdentityValue(wire, identity, 'roles');
  if (parseName(['set', 'delete'], operation, `${prefix}operation`) === 'delete')
    return toOperation({ case: 'setRole', value: create(ParticipantRoleSchema, { userId }) });
  const value = optional(step, 'value') ?? missing(`${prefix}value`);
  const role = parseName(ROLES, value, `${prefix}value`);
  return toOperation({ case: 'setRole', value: create(ParticipantRoleSchema, { userId, role }) });
}

function frozenStep({ step, operation, prefix }: Step): PatchOperation {
  parseName(['set'], operation, `${prefix}operation`);
  const value = optional(step, 'value') ?? missing(`${prefix}value`);
  if (typeof value !== 'boolean') return invalid(`${prefix}value`, 'must be true or false.');
  return toOperation({ case: 'setFrozen', value });
}

function slowModeStep({ step, operation, prefix }: Step): PatchOperation {
  parseName(['set'], operation, `${prefix}operation`);
  const value = optional(step, 'value') ?? missing(`${prefix}value`);
  return toOperation({ case: 'setSlowMode', value: parseSlowMode(value, `${prefix}value`) });
}

/** Seconds. Problem: invalid_property. */
export function parseSlowMode(value: unknown, property: string): number {
  const most = limits.slowModeInSeconds;
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
  return isValid ? value : invalid(property, `must be a whole number from 0 to ${most}.`);
}

function toOperation(step: MessageInitShape<typeof PatchOperationSchema>['step'] & object): PatchOperation {
  return create(PatchOperationSchema, { step });
}
