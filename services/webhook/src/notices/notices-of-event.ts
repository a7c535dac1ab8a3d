import { create } from '@parley/codec';
import { derivedId } from '@parley/domain/derived-id';
import { singleReactionsOf } from '@parley/domain/events/single-reactions';
import type { Notice } from '@parley/domain/json/webhook-body';
import type { WebhookEvent } from '@parley/domain/events/webhook-events';
import { MessagePartsChangedSchema, type Event } from '@parley/proto/parley/event/v1/event_pb';
import type { PatchOperation } from '@parley/proto/parley/messaging/v1/conversation_pb';
import { MessageSchema } from '@parley/proto/parley/messaging/v1/message_pb';

/** Fields of an identity that only the platform sees. */
const INTERNAL_FIELDS = new Set(['suspended', 'deleted']);

/**
 * The notices to webhooks that an event makes; none when it concerns the devices of one user only. Several notices of one event
 * have derived ids, the same each time. “Mark all read” is expanded page by page instead: see timers/expand-events.ts.
 */
export function noticesOf(event: Event): Notice[] {
  const { body } = event;
  switch (body.case) {
    case 'messageCreated':
      return [{ type: 'Message.created', event }];
    case 'messageDeleted':
      return [{ type: 'Message.deleted', event }];
    case 'messagePartsChanged':
      return partNotices(event, body.value);
    case 'messageUpdated':
      return [{ type: 'Message.updated', event }];
    case 'reactionsChanged':
      return singleReactionsOf(event).map(({ event: single, removed }) => {
        return { type: removed ? 'Reaction.deleted' : 'Reaction.created', event: single };
      });
    case 'receiptRecorded':
      return body.value.ownOnly ? [] : [{ type: 'Receipt.created', event }];
    case 'conversationCreated':
      return [{ type: 'Conversation.created', event }];
    case 'conversationUpdated':
      return updateNotices(event, body.value);
    case 'restrictionChanged':
      return [{ type: body.value.ended ? 'Restriction.deleted' : 'Restriction.created', event }];
    case 'conversationDeleted':
      return [{ type: 'Conversation.deleted', event }];
    case 'identityChanged':
      return identityNotices(event, body.value);
    case 'pushSettled':
      return [{ type: body.value.delivered ? 'Push.delivered' : 'Push.failed', event }];
    default:
      return [];
  }
}

type ValueOf<C> = Extract<Event['body'], { case: C }>['value'];

function updateNotices(event: Event, value: ValueOf<'conversationUpdated'>): Notice[] {
  const types: WebhookEvent[] = [];
  if (value.operations.some(isOfConversation)) types.push('Conversation.updated');
  if (value.operations.some(({ step }) => step.case === 'setRole')) types.push('Participation.updated');
  if (value.added.length > 0) types.push('Participation.created');
  if (value.removed.length > 0) types.push('Participation.deleted');
  return types.map((type) => withDerivedId(event, type));
}

const OF_CONVERSATION: ReadonlySet<PatchOperation['step']['case']> = new Set([
  'setMetadata',
  'deleteMetadata',
  'setFrozen',
  'setSlowMode',
]);

function isOfConversation({ step }: PatchOperation): boolean {
  return OF_CONVERSATION.has(step.case);
}

function identityNotices(event: Event, { created, identity, fields }: ValueOf<'identityChanged'>): Notice[] {
  if (!identity || identity.deleted) return [];
  if (created) return [{ type: 'Identity.created', event }];
  return fields.every((field) => INTERNAL_FIELDS.has(field)) ? [] : [{ type: 'Identity.updated', event }];
}

function partNotices(event: Event, value: ValueOf<'messagePartsChanged'>): Notice[] {
  const { messageId, position, added, updated, removedPartIds, message } = value;
  const of = {
    messageId,
    position,
    message:
      message &&
      create(MessageSchema, { id: message.id, sender: message.sender, shadowed: message.shadowed }),
  };
  const part = (type: WebhookEvent, id: string, change: object): Notice => {
    const narrowed = create(MessagePartsChangedSchema, { ...of, ...change });
    return withDerivedId({ ...event, body: { case: 'messagePartsChanged', value: narrowed } }, type, id);
  };
  return [
    withDerivedId(
      { ...event, body: { case: 'messagePartsChanged', value: { ...value, added: [], updated: [] } } },
      'Message.updated',
    ),
    ...added.map((item) => part('MessagePart.created', item.id, { added: [item] })),
    ...updated.map((item) => part('MessagePart.updated', item.id, { updated: [item] })),
    ...removedPartIds.map((id) => part('MessagePart.deleted', id, { removedPartIds: [id] })),
  ];
}

function withDerivedId(event: Event, type: WebhookEvent, key = ''): Notice {
  return { type, event: { ...event, id: derivedId(event.id, `${type}/${key}`) } };
}
