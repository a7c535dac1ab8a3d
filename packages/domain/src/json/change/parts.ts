import type { MessagePartsChanged } from '@parley/proto/parley/event/v1/event_pb';
import { partUri } from '../../ids.ts';
import type { ChangeBody, ChangeStep } from '../change.ts';
import type { MessagePart } from '@parley/contract/records/part';
import { partJson } from '../part.ts';
import type { View } from '../view.ts';
import { wholeParts } from '../../events/changed-parts.ts';
import { messageObject } from './message.ts';

const PART_FIELDS = ['body', 'mime_type', 'encoding', 'content', 'updated_at'] as const;

/** Added and removed parts are a change of the message, rewritten parts a change of each part. */
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
  const updates = wholeParts(change.updated, change.message).map((part) =>
    partUpdate(partJson(view, message, part)),
  );
  if (steps.length === 0) return updates;
  return [
    { operation: 'update', object: messageObject(view, conversationId, message.id), data: steps },
    ...updates,
  ];
}

function partUpdate(part: MessagePart): ChangeBody {
  return {
    operation: 'update',
    object: { type: 'MessagePart', id: part.id, url: part.url },
    data: PART_FIELDS.map((property) => ({ operation: 'set', property, value: part[property] })),
  };
}
