import { joinKeys, keysOf } from '../records/paths.ts';
import { identityUri } from '../records/records.ts';
import { createNames, type Addresses } from './addresses.ts';
import type { LeanBody, LeanMentions, LeanObject, LeanStep } from './lean-records.ts';
import {
  fullAnnouncement,
  fullContent,
  fullConversation,
  fullIdentities,
  fullIdentity,
  fullMessage,
  fullPart,
  fullPerson,
  type Reader,
} from './records.ts';

/** A packet's body as on a socket of `svc-3.1`, plus the unread count in a new message. */
export type Expanded = { readonly body: unknown; readonly unread?: number };

/** Expands the body of a lean packet `change`, `operation` or `signal` to its form on a socket of `svc-3.1`. */
export function expandBody(addresses: Addresses, lean: LeanBody): Expanded {
  const { wire, userId } = addresses;
  const { object, unread_message_count: unread, ...head } = lean;
  const reader = { names: createNames(addresses), wire, userId };
  return {
    body: { ...head, object: fullObject(reader, object), data: fullData(reader, lean) },
    ...(typeof unread === 'number' && { unread }),
  };
}

function fullObject({ names }: Reader, { type, id, message }: LeanObject): object {
  if (type === 'MessagePart') return { type, ...names.message(message).part(id) };
  if (type === 'Identity') return { type, ...names.identity(id) };
  const kind = String(type).toLowerCase();
  return { type, id: names.uri(`${kind}s`, id), url: names.url(kind, { [`${kind}_id`]: id }) };
}

function fullData(reader: Reader, lean: LeanBody): unknown {
  const { type, id } = lean.object;
  if (lean.operation === 'update') return fullSteps(reader, lean.object, lean.data);
  if (lean.operation === 'delete')
    return type === 'Conversation' ? { from_position: null, ...lean.data } : lean.data;
  if (lean.operation !== 'create') return withPerson(reader, lean.data);
  const record = { ...lean.data, id };
  if (type === 'Conversation') return fullConversation(reader, record);
  if (type === 'Message') return fullMessage(reader, record);
  if (type === 'Announcement') return fullAnnouncement(reader, record);
  return fullIdentity(reader, lean.data);
}

/** The data of a signal, which names its sender, or of an operation, which may name the reader. */
function withPerson(reader: Reader, { identity, sender, ...rest }: LeanMentions): object {
  if (sender !== undefined) return { ...rest, sender: fullPerson(reader, sender) };
  return { ...rest, identity: identity ? fullPerson(reader, identity) : null };
}

function fullSteps(reader: Reader, object: LeanObject, steps: readonly LeanStep[]): object[] {
  const filename = steps.find(({ property }) => property === 'filename')?.value;
  return steps.map((step) =>
    object.type === 'MessagePart' && step.property === 'content'
      ? { ...step, value: fullContent(reader, step.value, filename) }
      : fullStep(reader, object, step),
  );
}

/** Restores references to other records in a step, and null values. */
function fullStep(
  reader: Reader,
  object: LeanObject,
  { operation, property, id = '', value }: LeanStep,
): object {
  const { names, wire } = reader;
  const [root = '', key] = keysOf(property);
  if (root === 'recipient_status' && key !== undefined)
    return { operation, property: joinKeys([root, identityUri(wire, key)]), value };
  if (property.startsWith('reactions.') && Array.isArray(value))
    return { operation, property, value: fullIdentities(reader, value) };
  if (property === 'participants') {
    const person = value !== undefined && { value: fullPerson(reader, value) };
    return { operation, property, id: identityUri(wire, id), ...person };
  }
  if (property === 'parts') {
    const parent = names.message(object.id);
    const part = value !== undefined && { value: fullPart(reader, parent, value) };
    return { operation, property, id: parent.part(id).id, ...part };
  }
  if (property === 'last_message') return { operation, property, id: id ? names.uri('messages', id) : null };
  return operation === 'delete' ? { operation, property } : { operation, property, value: value ?? null };
}
