import { limits } from '@parley/contract/limits';
import { fitsMessage } from '@parley/domain/parts';
import { fail, failNotFound } from '@parley/domain/problems';
import type { Part } from '@parley/proto/parley/messaging/v1/message_pb';
import type { EditPartsRequest } from '@parley/proto/parley/messaging/v1/parts_service_pb';

export type PartsEdit = EditPartsRequest['edit'];

/** The parts of a message after an edit, and which of them changed. */
export type EditResult =
  | { kind: 'changed'; parts: Part[]; added: Part[]; updated: Part[]; removedIds: string[] }
  /** An earlier attempt of the same call made this edit. */
  | { kind: 'done' }
  | { kind: 'id in use'; part: Part };

export type Edit = {
  edit: PartsEdit;
  /** Milliseconds since the epoch. */
  now: number;
  /** Empty: the call is never repeated. */
  requestId: string;
};

/** docs/protocol/messages.md#parts. Problems: not_found, invalid_property (parts), invalid_operation. */
export function applyEdit(parts: readonly Part[], { edit, now, requestId }: Edit): EditResult {
  switch (edit.case) {
    case 'add':
      return addPart(parts, { ...edit.value, updatedAt: now }, requestId);
    case 'update':
      return updatePart(parts, { ...edit.value, updatedAt: now });
    case 'remove':
      return removePart(parts, edit.value);
    case 'replaceAll':
      return replaceAll(
        parts,
        edit.value.parts.map((part) => ({ ...part, updatedAt: now })),
      );
    default:
      return fail('invalid_request');
  }
}

function addPart(parts: readonly Part[], part: Part, requestId: string): EditResult {
  const known = parts.find(({ id }) => id === part.id);
  if (known) {
    const isOwn = requestId !== '' && known.requestId === requestId;
    return isOwn ? { kind: 'done' } : { kind: 'id in use', part: known };
  }
  const added = requestId === '' ? part : { ...part, requestId };
  return requireFitting({
    kind: 'changed',
    parts: [...parts, added],
    added: [added],
    updated: [],
    removedIds: [],
  });
}

/** The part keeps its place in the list. */
function updatePart(parts: readonly Part[], part: Part): EditResult {
  const index = indexOf(parts, part.id);
  return requireFitting({
    kind: 'changed',
    parts: parts.with(index, part),
    added: [],
    updated: [part],
    removedIds: [],
  });
}

// A message has at least one part: docs/protocol/messages.md#parts
function removePart(parts: readonly Part[], id: string): EditResult {
  const index = indexOf(parts, id);
  if (parts.length === 1) {
    return fail('invalid_operation', { message: 'The last part of a message cannot be removed.' });
  }
  return { kind: 'changed', parts: parts.toSpliced(index, 1), added: [], updated: [], removedIds: [id] };
}

/** Parts with a known id are updated, all other parts are added. */
function replaceAll(before: readonly Part[], parts: Part[]): EditResult {
  if (parts.length === 0) return fail('invalid_property', { property: 'parts' });
  const known = new Set(before.map(({ id }) => id));
  const kept = new Set(parts.map(({ id }) => id));
  return requireFitting({
    kind: 'changed',
    parts,
    added: parts.filter(({ id }) => !known.has(id)),
    updated: parts.filter(({ id }) => known.has(id)),
    removedIds: [...known].filter((id) => !kept.has(id)),
  });
}

function indexOf(parts: readonly Part[], wanted: string): number {
  const index = parts.findIndex(({ id }) => id === wanted);
  return index < 0 ? failNotFound('part', wanted) : index;
}

function requireFitting(edited: Extract<EditResult, { kind: 'changed' }>): EditResult {
  if (edited.parts.length > limits.maxParts || !fitsMessage(edited.parts)) {
    return fail('invalid_property', { property: 'parts', message: 'The message would be too large.' });
  }
  return edited;
}
