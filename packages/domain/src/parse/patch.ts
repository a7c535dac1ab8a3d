import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import {
  History,
  PatchOperationSchema,
  type PatchOperation,
} from '@parley/proto/parley/messaging/v1/conversation_pb';
import { splitPath } from '../metadata/dotted-path.ts';
import { limits } from '@parley/contract/limits';
import { isMetadata, isMetadataKey, isStorableText, metadataSize } from '../metadata.ts';
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

/** `left`: bytes of metadata that further steps may still name and set. */
type Reading = { wire: Wire; left: { bytes: number } };

function readStep({ wire, left }: Reading, step: unknown, prefix: string): PatchOperation {
  if (!isFields(step)) return invalid(prefix.slice(0, -1), 'must be an object.');
  const operation = requiredText(step, 'operation', `${prefix}operation`);
  const property = requiredText(step, 'property', `${prefix}property`);
  if (property === 'participants') return participantStep(wire, { step, operation, prefix });
  const [root, ...path] = splitPath(property);
  if (root === 'history' && path.length === 1)
    return historyStep(wire, { step, operation, prefix, user: path[0]! });
  if (root === 'metadata') return metadataStep(path, { step, operation, prefix, left });
  return notAccepted(`${prefix}property`, [
    'metadata',
    'metadata.<key>',
    'participants',
    'history.<user id>',
  ]);
}

type Step = { step: Fields; operation: string; prefix: string };

function metadataStep(
  path: string[],
  { step, operation, prefix, left }: Step & Pick<Reading, 'left'>,
): PatchOperation {
  if (path.length >= limits.metadataDepth || !path.every(isMetadataKey)) return invalid('metadata', FORM);
  takeBytes(left, Buffer.byteLength(path.join('.')));
  if (parseName(['set', 'delete'], operation, `${prefix}operation`) === 'delete') {
    return toOperation({ case: 'deleteMetadata', value: { path } });
  }
  const value = optional(step, 'value') ?? missing(`${prefix}value`);
  const isLeaf = typeof value === 'string' && path.length > 0 && isStorableText(value);
  if (!isLeaf && !isMetadata(value, limits.metadataDepth - path.length)) return invalid('metadata', FORM);
  takeBytes(left, metadataSize(value));
  return toOperation({ case: 'setMetadata', value: { path, value: toValue(value) } });
}

const FORM = 'must be nested objects with strings as leaves.';

// A value that is larger than all metadata may be is refused here, before a step is applied.
function takeBytes(left: { bytes: number }, bytes: number): void {
  const most = limits.metadataBytes;
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

function toOperation(step: MessageInitShape<typeof PatchOperationSchema>['step'] & object): PatchOperation {
  return create(PatchOperationSchema, { step });
}
