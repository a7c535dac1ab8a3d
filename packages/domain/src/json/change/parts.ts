import type { MessagePartsChanged } from '@parley/proto/parley/event/v1/event_pb';
import { partUri } from '../../ids.ts';
import type { ChangeBody, ChangeStep } from '../change.ts';
import type { MessagePart } from '@parley/contract/records/part';
import { partJson } from '../part.ts';
import type { View } from '../view.ts';
import { wholeParts } from '../../events/changed-parts.ts';
import { messageObject } from './message.ts';

/** Fields that every part has. */
const PART_FIELDS = ['body', 'mime_type', 'encoding', 'content', 'updated_at'] as const;

/** Added and removed parts change the message, rewritten parts change only themselves. */
export function partsChange(view: View, conversationId: string, change: MessagePartsChanged): ChangeBody[] {
  const message = { id: change.messageId, conversationId };
  const steps: ChangeStep[] = [
    ...change.removedPartIds.map((id): ChangeStep => {
      return { operation: 'remove', property: 'parts', id: partUri(view.wire, message.id, id) };
    }),
    ...wholeParts(change.added, change.message).map((part): ChangeStep => {
      const value = partJson(view, message, part);
      return { operation: 'add', property: 'parts', id: value.id, value };
    }),
  ];
  const unnamed = new Set(change.unnamedPartIds);
  const updates = wholeParts(change.updated, change.message).map((part) =>
    partUpdate(partJson(view, message, part), unnamed.has(part.id)),
  );
  if (steps.length === 0) return updates;
  return [
    { operation: 'update', object: messageObject(view, conversationId, message.id), data: steps },
    ...updates,
  ];
}

/** `isUnnamed`: the part had a filename before, and has none now. */
function partUpdate(part: MessagePart, isUnnamed: boolean): ChangeBody {
  const { id, url, filename } = part;
  const data: ChangeStep[] = PART_FIELDS.map((property) => ({
    operation: 'set',
    property,
    value: part[property],
  }));
  if (filename !== undefined) data.push({ operation: 'set', property: 'filename', value: filename });
  else if (isUnnamed) data.push({ operation: 'delete', property: 'filename' });
  return { operation: 'update', object: { type: 'MessagePart', id, url }, data };
}
