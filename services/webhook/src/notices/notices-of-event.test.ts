import { randomUUID } from 'node:crypto';
import { webhookBodyJson } from '@parley/domain/json/webhook-body';
import { sampleEvent, sampleMessage, samplePart, viewOf } from '@parley/domain/testing/samples';
import { noticesOf } from './notices-of-event.ts';

/** The types of the notices of changed parts, with the `shadowed` of each. */
function shadowedIn(fields: { shadowed: boolean }): Record<string, unknown> {
  const [added, updated] = [samplePart({ id: randomUUID() }), samplePart({ id: randomUUID() })];
  const message = sampleMessage({ parts: [added, updated], ...fields });
  const changed = { messageId: message.id, message, added: [added], updated: [updated] };
  const event = sampleEvent({
    case: 'messagePartsChanged',
    value: { ...changed, removedPartIds: [randomUUID()] },
  });
  return Object.fromEntries(
    noticesOf(event).map((notice) => {
      const body = webhookBodyJson(viewOf('server'), notice, {}) as { message?: { shadowed?: true } };
      return [notice.type, body.message?.shadowed];
    }),
  );
}

test('every notice of changed parts says that the message is shadowed', () => {
  expect(shadowedIn({ shadowed: true })).toEqual({
    'Message.updated': true,
    'MessagePart.created': true,
    'MessagePart.updated': true,
    'MessagePart.deleted': true,
  });
  expect(new Set(Object.values(shadowedIn({ shadowed: false })))).toEqual(new Set([undefined]));
});
