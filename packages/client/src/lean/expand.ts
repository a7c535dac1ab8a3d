import { identityUri, type Step } from '../records/records.ts';
import { createNames, type Addresses } from './addresses.ts';
import {
  fullAnnouncement,
  fullContent,
  fullConversation,
  fullIdentity,
  fullMessage,
  fullPart,
  fullPerson,
  type Json,
  type Reader,
} from './records.ts';

/** A packet's body as a socket of `svc-3.1` has it, and what a new message says of the unread count besides. */
export type Expanded = { readonly body: unknown; readonly unread?: number };

/** Makes the body of a lean packet `change`, `operation` or `signal` what it is on a socket of `svc-3.1`. */
export function expandBody(addresses: Addresses, lean: unknown): Expanded {
  const { wire, userId } = addresses;
  const { object, data, unread_message_count: unread, ...head } = lean as Json & { object: Json };
  const reader = { names: createNames(addresses), wire, userId };
  const full = fullData(reader, { ...head, object, data });
  return {
    body: { ...head, object: fullObject(reader, object), data: full },
    ...(typeof unread === 'number' && { unread }),
  };
}

function fullObject({ names }: Reader, { type, id: given, message }: Json): Json {
  const id = given as string;
  if (type === 'MessagePart') return { type, ...names.message(message as string).part(id) };
  if (type === 'Identity') return { type, ...names.identity(id) };
  const kind = String(type).toLowerCase();
  return { type, id: names.uri(`${kind}s`, id), url: names.url(kind, { [`${kind}_id`]: id }) };
}

function fullData(reader: Reader, { operation, object, data }: Json): unknown {
  const { type, id } = object as Json;
  if (operation === 'update') return fullSteps(reader, object as Json, data as Step[]);
  if (operation === 'delete')
    return type === 'Conversation' ? { from_position: null, ...(data as Json) } : data;
  if (operation !== 'create') return withPerson(reader, data as Json);
  const record = { ...(data as Json), id };
  if (type === 'Conversation') return fullConversation(reader, record);
  if (type === 'Message') return fullMessage(reader, record);
  if (type === 'Announcement') return fullAnnouncement(reader, record);
  return fullIdentity(reader, data as Json);
}

/** The data of a signal, which names its sender, or of an operation, which may name who read. */
function withPerson(reader: Reader, { identity, sender, ...rest }: Json): Json {
  if (sender !== undefined) return { ...rest, sender: fullPerson(reader, sender as Json) };
  return { ...rest, identity: identity ? fullPerson(reader, identity as Json) : null };
}

function fullSteps(reader: Reader, object: Json, steps: readonly Step[]): Step[] {
  const filename = steps.find(({ property }) => property === 'filename')?.value;
  return steps.map((step) =>
    object['type'] === 'MessagePart' && step.property === 'content'
      ? { ...step, value: fullContent(reader, step.value, filename) }
      : fullStep(reader, object, step),
  );
}

const STATUS = 'recipient_status.';

/** A name without the backslash before each dot, and with half of those before it, which are doubled. */
function unescaped(name: string): string {
  const pieces = name.split('.').map((piece, index, all) => {
    let backslashes = 0;
    while (piece.at(-1 - backslashes) === '\\') backslashes++;
    if (index === all.length - 1) return piece;
    return piece.slice(0, piece.length - backslashes) + '\\'.repeat(backslashes >> 1);
  });
  return pieces.join('.');
}

/** Restores what names another record in a step, and what is null. */
function fullStep(reader: Reader, object: Json, { operation, property, id, value }: Step): Step {
  const { names, wire } = reader;
  if (property.startsWith(STATUS)) {
    const reader = identityUri(wire, unescaped(property.slice(STATUS.length)));
    return { operation, property: STATUS + reader.replaceAll('.', '\\.'), value };
  }
  if (property === 'participants') {
    const person = value !== undefined && { value: fullPerson(reader, value as Json) };
    return { operation, property, id: identityUri(wire, id as string), ...person };
  }
  if (property === 'parts') {
    const parent = names.message(object['id'] as string);
    const part = value !== undefined && { value: fullPart(reader, parent, value as Json) };
    return { operation, property, id: parent.part(id as string).id, ...part };
  }
  if (property === 'last_message') return { operation, property, id: id ? names.uri('messages', id) : null };
  return operation === 'delete' ? { operation, property } : { operation, property, value: value ?? null };
}
