import type { Step } from '../../src/records/records.ts';
import { applyConfirmed } from '../../src/pending/confirm.ts';
import { createPacketsDuringRequest } from '../../src/sync/packets-during-request.ts';
import { messageShown } from '../../src/pending/optimistic-view.ts';
import type { Action, Operation } from '../../src/records/operation.ts';
import { withOwnReaction } from '../../src/records/reactions.ts';
import { CONVERSATION, conversationCreated, ME, messageAt, messageCreated, testRecords } from './records.ts';

const GRACE = 'svc:///identities/grace';
const VIEWER = {
  me: ME,
  wire: 'svc',
  self: { id: ME, url: '', user_id: 'ada', display_name: null, avatar_url: null },
};

function updated(...data: Step[]) {
  return { operation: 'update' as const, object: { type: 'Message', id: messageAt(1).id }, data };
}
function set(property: string, value: unknown): Step {
  return { operation: 'set', property, value };
}
function gone(property: string): Step {
  return { operation: 'delete', property };
}

async function stored(...steps: Step[]) {
  const records = await testRecords();
  await records.apply(conversationCreated(), messageCreated(messageAt(1)), updated(...steps));
  const [row] = await records.store.get('messages', [messageAt(1).id]);
  expect(records.conversation()?.last_message).toEqual(row?.value);
  return row!.value;
}

test('steps set counts and names, and leave what is own', async () => {
  const message = await stored(
    set('reactions.a\\.b.count', 1),
    set('reactions.a\\.b.recent', [ME]),
    set('reactions.a\\.b.own', true),
    set('reactions.a\\.b.count', 2),
    set('reactions.a\\.b.recent', [GRACE, ME]),
  );
  expect(message.reactions).toEqual({ 'a.b': { count: 2, recent: [GRACE, ME], own: true } });
});

test('without any reaction and metadata the keys are absent, also after keys that every object inherits', async () => {
  const message = await stored(
    set('reactions.constructor.count', 1),
    gone('reactions.constructor.own'),
    gone('reactions.constructor'),
    gone('reactions.toString'),
    set('metadata.order.state', 'paid'),
    gone('metadata.order'),
  );
  expect(message).not.toHaveProperty('reactions');
  expect(message).not.toHaveProperty('metadata');
  expect(structuredClone(message)).toEqual(message);
});

test('metadata change by their steps', async () => {
  const message = await stored(set('metadata', { a: 1 }), set('metadata.b.c', true), gone('metadata.a'));
  expect(message.metadata).toEqual({ b: { c: true } });
});

function operation(order: number, action: Record<string, unknown>): Operation {
  const at = { conversation: CONVERSATION, message: messageAt(1).id };
  return { id: String(order), order, action: { ...at, ...action } as Action };
}

test('what the user does is shown at once, in its order', () => {
  const before = messageAt(1, {
    reactions: { x: { count: 1, recent: [GRACE] }, y: { count: 1, recent: [ME], own: true } },
  });
  const shown = messageShown(
    before,
    [
      operation(1, { kind: 'react', key: 'x', replace: true }),
      operation(2, { kind: 'react', key: 'x' }),
      operation(3, { kind: 'react', key: 'z' }),
      operation(4, { kind: 'unreact', key: 'z' }),
      operation(5, { kind: 'patchMessage', steps: [set('metadata.a', 1)] }),
    ],
    VIEWER,
  );
  expect(shown?.reactions).toEqual({ x: { count: 2, recent: [ME, GRACE], own: true } });
  expect(shown?.metadata).toEqual({ a: 1 });
  expect(before.reactions?.['y']?.own).toBe(true);
});

/** The reactions after the answer to an action, between whose request and answer some steps arrived. */
async function answered(action: Record<string, unknown>, before: Step[], since: Step[]) {
  const records = await testRecords();
  await records.apply(conversationCreated(), messageCreated(messageAt(1)), updated(...before));
  const packets = since.map((step) => ({ change: updated(step), timestamp: '' }));
  await records.apply(...packets.map(({ change }) => change));
  await records.change(async (batch) => {
    await batch.prefetch([messageAt(1).id], []);
    const confirmed = { operation: operation(1, action), answer: undefined, since: packets };
    applyConfirmed({ me: ME, packetsDuringRequest: createPacketsDuringRequest() }, batch, confirmed);
  });
  const [row] = await records.store.get('messages', [messageAt(1).id]);
  return row?.value.reactions;
}

test('an answer changes nothing of a key that another device has changed since the request', async () => {
  const two = [set('reactions.x.count', 2), set('reactions.x.recent', [ME, GRACE])];
  const one = [set('reactions.x.count', 1), set('reactions.x.recent', [GRACE])];
  const takenBack = [...two, set('reactions.x.own', true), ...one, gone('reactions.x.own')];
  expect(await answered({ kind: 'react', key: 'x' }, one, takenBack)).toEqual({
    x: { count: 1, recent: [GRACE] },
  });
  expect(await answered({ kind: 'react', key: 'x' }, one, [...two, gone('reactions.x')])).toBeUndefined();
  expect(await answered({ kind: 'react', key: 'x' }, [], one)).toEqual({
    x: { count: 2, recent: [ME, GRACE], own: true },
  });
  const own = [...two, set('reactions.x.own', true)];
  expect(await answered({ kind: 'unreact', key: 'x' }, one, own)).toEqual({
    x: { count: 2, recent: [ME, GRACE], own: true },
  });
  expect(await answered({ kind: 'react', key: 'y', replace: true }, one, own)).toEqual({
    x: { count: 2, recent: [ME, GRACE], own: true },
    y: { count: 1, recent: [ME], own: true },
  });
});

test('a reaction that the records show already is not shown twice', () => {
  const once = withOwnReaction(messageAt(1), { key: 'x', isGiven: true }, ME);
  expect(withOwnReaction(once, { key: 'x', isGiven: true }, ME)).toBe(once);
  const none = withOwnReaction(once, { key: 'x', isGiven: false }, ME);
  expect(none).not.toHaveProperty('reactions');
  expect(withOwnReaction(none, { key: 'x', isGiven: false }, ME)).toBe(none);
});
