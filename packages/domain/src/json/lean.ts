import { joinPath, splitPath } from '../metadata/dotted-path.ts';
import { isFields, type Fields } from '../parse/fields.ts';
import { percentDecode } from '../percent.ts';
import type { Wire } from '../wire.ts';

/** Keys derived from others: addresses of the platform, which follow from the templates of `hello`, and a second name of `sent_at`. */
const DERIVED: ReadonlySet<string> = new Set([
  'url',
  'messages_url',
  'message_url',
  'receipts_url',
  'refresh_url',
  'received_at',
]);

/** The media type of a part without an explicit one. */
const USUAL_TYPE = 'text/plain';

/** Keys whose values belong to the application. */
const OPAQUE: ReadonlySet<string> = new Set(['metadata', 'body']);

/**
 * The lean form of the body of a packet `change`, `operation` or `signal`, or of the data of a response: ids without their URIs, no
 * addresses of the platform, and no nulls. docs/protocol/lean-packets.md
 */
export function leanJson(wire: Wire, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => leanJson(wire, item));
  if (!isFields(value)) return value;
  if (isReference(value)) return bareId(wire, value['id']);
  if (isFields(value['object'])) return leanBody(wire, value, value['object']);
  if (typeof value['operation'] === 'string' && 'property' in value) return leanStep(wire, value);
  return leanRecord(wire, value);
}

/** The bare id in a URI of this deployment; any other text unchanged. */
export function bareId(wire: Wire, id: string): string {
  const root = `${wire.name}:///`;
  if (!id.startsWith(root)) return id;
  const [kind, ...segments] = id.slice(root.length).split('/');
  const last = segments.at(-1) ?? '';
  return kind === 'identities' ? (percentDecode(last) ?? last) : last;
}

function isReference(value: Fields): value is Fields & { id: string } {
  return typeof value['id'] === 'string' && 'url' in value && Object.keys(value).length === 2;
}

/** A record that a packet creates has the same id as the packet's object. */
function leanBody(wire: Wire, { object: _object, data, ...head }: Fields, object: Fields): Fields {
  const lean = leanJson(wire, data);
  if (head['operation'] !== 'create' || !isFields(lean))
    return { ...head, object: leanObject(wire, object), data: lean };
  const { id: _id, ...rest } = lean;
  return { ...head, object: leanObject(wire, object), data: rest };
}

function leanRecord(wire: Wire, value: Fields): Fields {
  const isIdentity = 'user_id' in value;
  const entries = Object.entries(value)
    .filter(([key, item]) => item !== null && item !== undefined && !DERIVED.has(key))
    .filter(([key, item]) => !(key === 'id' && isIdentity) && !(key === 'mime_type' && item === USUAL_TYPE))
    .map(([key, item]) => [key, leanValue(wire, key, item)] as const);
  // Not by assignment: a user's id may be the name of a built-in property of objects.
  return Object.fromEntries(entries);
}

function leanValue(wire: Wire, key: string, value: unknown): unknown {
  if (OPAQUE.has(key)) return value;
  if (key === 'id' && typeof value === 'string') return bareId(wire, value);
  if (key === 'recipients') return bareIds(wire, value);
  if (key === 'recipient_status' && isFields(value))
    return Object.fromEntries(Object.entries(value).map(([id, status]) => [bareId(wire, id), status]));
  if (key === 'reactions' && isFields(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, leanSummary(wire, one)]));
  return leanJson(wire, value);
}

/** The reactions with one key, which may have the name of any property. */
function leanSummary(wire: Wire, summary: unknown): unknown {
  if (!isFields(summary)) return summary;
  return { ...summary, recent: bareIds(wire, summary['recent']) };
}

function bareIds(wire: Wire, ids: unknown): unknown {
  if (!Array.isArray(ids)) return ids;
  return ids.map((id: unknown) => (typeof id === 'string' ? bareId(wire, id) : id));
}

/** The object that a packet is about; a part's names its message, which is in the part's URI otherwise. */
function leanObject(wire: Wire, { type, id }: Fields): Fields {
  if (typeof id !== 'string') return { type };
  const [message, part] = id.split('/parts/');
  if (type === 'MessagePart' && message !== undefined && part !== undefined)
    return { type, id: part, message: bareId(wire, message) };
  return { type, id: bareId(wire, id) };
}

function leanStep(wire: Wire, { operation, property, id, value }: Fields): Fields {
  const [root, key] = splitPath(String(property));
  const isStatus = root === 'recipient_status' && key !== undefined;
  const isOwn = root !== undefined && OPAQUE.has(root);
  const step: Record<string, unknown> = {
    operation,
    property: isStatus ? joinPath([root, bareId(wire, key)]) : property,
  };
  if (typeof id === 'string') step['id'] = bareId(wire, id);
  if (value === null || value === undefined) return step;
  if (root === 'reactions') step['value'] = bareIds(wire, value);
  else step['value'] = isOwn ? value : leanJson(wire, value);
  return step;
}
