import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import { PatchOperationSchema, type PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { splitPath } from '../metadata/dotted-path.ts';
import { limits } from '@parley/contract/limits';
import { isMetadata, isMetadataKey, isStorableText } from '../metadata.ts';
import { toValue } from '../metadata/patch.ts';
import type { Wire } from '../wire.ts';
import { notAccepted, parseName } from './choice.ts';
import { invalid, isFields, missing, optional, requiredText, type Fields } from './fields.ts';
import { parseIdentityList, parseIdentityValue } from './identity-refs.ts';
import { parseSteps } from './steps.ts';

/**
 * A patch array for a conversation. Fails with invalid_request, missing_property, invalid_property.
 * docs/protocol/conversations.md#change-a-conversation
 */
export function parsePatch(wire: Wire, body: unknown): PatchOperation[] {
  return parseSteps(body).map((step, index) => readStep(wire, step, `${index}.`));
}

function readStep(wire: Wire, step: unknown, prefix: string): PatchOperation {
  if (!isFields(step)) return invalid(prefix.slice(0, -1), 'must be an object.');
  const operation = requiredText(step, 'operation', `${prefix}operation`);
  const property = requiredText(step, 'property', `${prefix}property`);
  if (property === 'participants') return participantStep(wire, { step, operation, prefix });
  const [root, ...path] = splitPath(property);
  if (root === 'metadata') return metadataStep(path, { step, operation, prefix });
  return notAccepted(`${prefix}property`, ['metadata', 'metadata.<key>', 'participants']);
}

type Step = { step: Fields; operation: string; prefix: string };

function metadataStep(path: string[], { step, operation, prefix }: Step): PatchOperation {
  if (path.length >= limits.metadataDepth || !path.every(isMetadataKey)) {
    return invalid('metadata', 'must be nested objects with strings as leaves.');
  }
  if (parseName(['set', 'delete'], operation, `${prefix}operation`) === 'delete') {
    return toOperation({ case: 'deleteMetadata', value: { path } });
  }
  const value = optional(step, 'value') ?? missing(`${prefix}value`);
  const isLeaf = typeof value === 'string' && path.length > 0 && isStorableText(value);
  if (!isLeaf && !isMetadata(value, limits.metadataDepth - path.length)) {
    return invalid('metadata', 'must be nested objects with strings as leaves.');
  }
  return toOperation({ case: 'setMetadata', value: { path, value: toValue(value) } });
}

function participantStep(wire: Wire, { step, operation: given, prefix }: Step): PatchOperation {
  const operation = parseName(['add', 'remove', 'set'], given, `${prefix}operation`);
  if (operation === 'set') {
    const list = optional(step, 'value') ?? missing(`${prefix}value`);
    const userIds = parseIdentityList(wire, list, { property: 'participants' });
    if (userIds.length === 0) invalid('participants', 'must be at least one identity.');
    return toOperation({ case: 'setParticipants', value: { userIds } });
  }
  const identity = optional(step, 'id') ?? optional(step, 'value') ?? missing(`${prefix}id`);
  const value = parseIdentityValue(wire, identity, 'participants');
  return toOperation({ case: operation === 'add' ? 'addParticipant' : 'removeParticipant', value });
}

function toOperation(step: MessageInitShape<typeof PatchOperationSchema>['step'] & object): PatchOperation {
  return create(PatchOperationSchema, { step });
}
