import { toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import type { ConversationUpdated, Event, RestrictionChanged } from '@parley/proto/parley/event/v1/event_pb';
import type { PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { joinPath } from '../../metadata/dotted-path.ts';
import { identityUri } from '../../ids.ts';
import type { ChangeBody, ChangeObject, ChangeStep } from '../change.ts';
import { conversationJson, conversationReference, frozenJson } from '../conversation.ts';
import { ownRestrictionJson } from '../restriction.ts';
import { basicIdentityJson } from '../identity.ts';
import type { View } from '../view.ts';

type ConversationEvent = Extract<
  Event['body'],
  {
    case:
      | 'conversationCreated'
      | 'conversationUpdated'
      | 'conversationDeleted'
      | 'conversationHidden'
      | 'conversationRelisted'
      | 'restrictionChanged';
  }
>;

export function conversationChange(view: View, id: string, body: ConversationEvent): ChangeBody[] {
  const object = conversationObject(view, id);
  switch (body.case) {
    case 'conversationCreated':
    case 'conversationRelisted': {
      const { conversation } = body.value;
      return conversation
        ? [{ operation: 'create', object, data: conversationJson(view, conversation) }]
        : [];
    }
    case 'restrictionChanged':
      return [{ operation: 'update', object, data: [restrictionStep(body.value)] }];
    case 'conversationUpdated':
      return updated(view, object, body.value);
    case 'conversationDeleted':
      return [{ operation: 'delete', object, data: { mode: 'all_participants', from_position: null } }];
    case 'conversationHidden': {
      const { fromPosition } = body.value;
      return [{ operation: 'delete', object, data: { mode: 'my_devices', from_position: fromPosition } }];
    }
  }
}

// An added user gets the whole conversation; a removed user gets only the removal.
function updated(view: View, object: ChangeObject, update: ConversationUpdated): ChangeBody[] {
  const { conversation } = update;
  if (conversation && update.added.some(({ userId }) => userId === view.userId)) {
    return [{ operation: 'create', object, data: conversationJson(view, conversation) }];
  }
  const isRemoved = view.userId !== undefined && update.removedUserIds.includes(view.userId);
  const data = isRemoved ? removals(view, update) : stepsOf(view, update);
  return data.length > 0 ? [{ operation: 'update', object, data }] : [];
}

function stepsOf(view: View, update: ConversationUpdated): ChangeStep[] {
  const steps = update.operations.flatMap(metadataStep);
  for (const identity of update.added) {
    const value = basicIdentityJson(view, identity);
    steps.push({ operation: 'add', property: 'participants', id: value.id, value });
  }
  steps.push(...removals(view, update));
  steps.push(...update.operations.flatMap((operation) => settingStep(view, operation, update)));
  if (update.distinctCleared) steps.push({ operation: 'set', property: 'distinct', value: false });
  return steps;
}

function removals(view: View, { removedUserIds }: ConversationUpdated): ChangeStep[] {
  return removedUserIds.map((userId) => ({
    operation: 'remove',
    property: 'participants',
    id: identityUri(view.wire, userId),
  }));
}

/** The steps of metadata. Steps for participants are left out: `added` and `removedUserIds` hold their result. */
export function metadataStep({ step }: PatchOperation): ChangeStep[] {
  switch (step.case) {
    case 'setMetadata': {
      const value = step.value.value ? toJson(ValueSchema, step.value.value) : {};
      return [{ operation: 'set', property: joinPath(['metadata', ...step.value.path]), value }];
    }
    case 'deleteMetadata':
      return [{ operation: 'delete', property: joinPath(['metadata', ...step.value.path]) }];
    default:
      return [];
  }
}

function restrictionStep({ restriction, ended, shown }: RestrictionChanged): ChangeStep {
  const own = shown ?? (ended ? undefined : restriction);
  if (!own) return { operation: 'delete', property: 'restriction' };
  return { operation: 'set', property: 'restriction', value: ownRestrictionJson(own) };
}

function settingStep(
  view: View,
  { step }: PatchOperation,
  { conversation }: ConversationUpdated,
): ChangeStep[] {
  switch (step.case) {
    case 'setRole': {
      const { userId, role } = step.value;
      const property = joinPath(['roles', identityUri(view.wire, userId)]);
      return [role === '' ? { operation: 'delete', property } : { operation: 'set', property, value: role }];
    }
    case 'setFrozen': {
      const frozen = step.value ? conversation?.frozen : undefined;
      if (!frozen) return [{ operation: 'delete', property: 'frozen' }];
      return [{ operation: 'set', property: 'frozen', value: frozenJson(view, frozen) }];
    }
    case 'setSlowMode':
      return [{ operation: 'set', property: 'slow_mode_in_seconds', value: step.value }];
    default:
      return [];
  }
}

function conversationObject(view: View, id: string): ChangeObject {
  return { type: 'Conversation', ...conversationReference(view, id) };
}
