import { BASE } from '@parley/contract/examples/base';
import { CHANGE_EXAMPLES } from '@parley/contract/examples/changes';
import { CONVERSATION } from '@parley/contract/examples/conversation';
import { IDENTITY } from '@parley/contract/examples/identity';
import { LEAN_MESSAGE } from '@parley/contract/examples/lean';
import { MESSAGE } from '@parley/contract/examples/message';
import { ALL_DELIVERED, ALL_READ, TYPING } from '@parley/contract/examples/packets';
import { Metadata } from '@parley/contract/records/metadata';
import { mismatches } from '@parley/contract/testing/mismatches';
import { validValues } from '@parley/contract/testing/valid-values';
import { LeanMessageCreated } from '@parley/contract/socket/lean';
import fc from 'fast-check';
import { sampleMessage, viewOf, wire } from '../testing/samples.ts';
import { anyUserId } from '../testing/user-ids.ts';
import { basicIdentityJson } from './identity.ts';
import { bareId, leanJson } from './lean.ts';
import { leanCreation, leanCreationEnd } from './lean-message.ts';
import { messageJson } from './message.ts';
import { identityUri } from '../ids.ts';

const BODIES = [
  ...Object.values(CHANGE_EXAMPLES).flatMap((bodies) => Object.entries(bodies)),
  ['all read', ALL_READ],
  ['all delivered', ALL_DELIVERED],
  ['typing', TYPING],
] as const;

test.each(BODIES)(
  '%s: the lean body has neither URIs nor addresses nor nulls, and all the rest',
  (_, body) => {
    const text = JSON.stringify(leanJson(wire, body));
    expect(text).not.toMatch(/svc:\/\/\/|:null/);
    expect(text).not.toContain(BASE);
    const kept = (value: unknown): unknown[] =>
      typeof value !== 'object' ? [value] : Object.values(value ?? {}).flatMap(kept);
    const values = new Set(kept(leanJson(wire, body)));
    const rest = kept(body).filter(
      (value) => !/^(svc:|https:\/\/chat|recipient_status|text\/plain)|Z$/.test(String(value)),
    );
    expect(rest.filter((value) => !values.has(value))).toEqual([]);
  },
);

test('a message that was sent is as the description shows it', () => {
  const change = CHANGE_EXAMPLES.MessageCreated['Message sent'];
  const { data, ...body } = leanJson(wire, change) as Record<string, object>;
  const { unread_message_count: _, ...expected } = LEAN_MESSAGE;
  expect({ ...body, data }).toEqual({
    ...expected,
    data: { ...expected.data, is_unread: true, recipient_status: { ada: 'read', bob: 'sent' } },
  });
});

test('a message within a conversation has its own id, and an identity its user id alone', () => {
  expect(leanJson(wire, CONVERSATION)).toMatchObject({
    id: bareId(wire, CONVERSATION.id),
    participants: [{ user_id: 'ada' }, {}],
  });
  const lean = leanJson(wire, { ...CONVERSATION, last_message: MESSAGE }) as { last_message: object };
  expect(lean.last_message).toMatchObject({ id: bareId(wire, MESSAGE.id), sender: { user_id: 'ada' } });
  expect(leanJson(wire, IDENTITY)).not.toHaveProperty('id');
});

test('what the application wrote is never changed', () => {
  const metadata = fc.oneof(
    validValues(Metadata, { Metadata }),
    fc.constantFrom(
      { id: 'svc:///messages/1', url: 'x' },
      { url: 'svc:///a/b' },
      { object: { id: 'a' }, operation: 'create' },
    ),
  );
  fc.assert(
    fc.property(metadata, fc.string(), (value, body) => {
      const part = { ...MESSAGE.parts[0], body };
      expect(leanJson(wire, { ...CONVERSATION, metadata: value })).toMatchObject({ metadata: value });
      expect(leanJson(wire, { ...MESSAGE, parts: [part] })).toMatchObject({ parts: [{ body }] });
      for (const property of ['metadata', 'metadata.a'])
        expect(leanJson(wire, { operation: 'set', property, value })).toEqual({
          operation: 'set',
          property,
          value,
        });
    }),
  );
});

test('any user id comes through: as a sender, as a key of statuses, and in the path of a step', () => {
  fc.assert(
    fc.property(anyUserId(), (userId) => {
      const uri = identityUri(wire, userId);
      expect(bareId(wire, uri)).toBe(userId);
      expect(leanJson(wire, basicIdentityJson(viewOf('client'), { userId }))).toEqual({ user_id: userId });
      const statuses = JSON.parse(
        JSON.stringify(leanJson(wire, { recipient_status: Object.fromEntries([[uri, 'read']]) })),
      ) as {
        recipient_status: object;
      };
      expect(Object.entries(statuses.recipient_status)).toEqual([[userId, 'read']]);
    }),
  );
});

test.each([
  ['svc:///identities/b.o.b', 'recipient_status.b\\.o\\.b'],
  ['svc:///identities/ada', 'recipient_status.ada'],
  ['svc:///identities/__proto__', 'recipient_status.__proto__'],
  ['svc:///identities/a%20b', 'recipient_status.a b'],
])('the status of %s is set by %s', (uri, property) => {
  const step = {
    operation: 'set',
    property: `recipient_status.${uri.replaceAll('.', '\\.')}`,
    value: 'read',
  };
  expect(leanJson(wire, step)).toEqual({ ...step, property });
});

test('a step without a value sets null', () => {
  const set = (property: string) => leanJson(wire, { operation: 'set', property, value: null });
  expect(set('encoding')).toEqual({ operation: 'set', property: 'encoding' });
  const last = { operation: 'set', property: 'last_message', id: null };
  expect(leanJson(wire, last)).toEqual({ operation: 'set', property: 'last_message' });
});

test('the text of a created message is the lean form of its record, with what its reader sees', () => {
  const message = sampleMessage();
  const view = viewOf('client');
  const {
    id: _id,
    is_unread: _unread,
    recipient_status: _statuses,
    ...data
  } = leanJson(wire, messageJson(view, message)) as Record<string, unknown>;
  const creation = leanCreation(view, message);
  const bodyOf = (reader: Parameters<typeof leanCreationEnd>[0]) =>
    JSON.parse(creation.start + leanCreationEnd(reader)) as object;
  const created = { operation: 'create', object: { type: 'Message', id: message.id } };
  expect(bodyOf({})).toEqual({ ...created, data });
  expect(bodyOf({ unread: 0 })).toEqual({ ...created, data, unread_message_count: 0 });
  const statuses = new Map([['__proto__', 'read' as const]]);
  const seen = { ...data, is_unread: true, recipient_status: JSON.parse('{"__proto__":"read"}') as object };
  const replayed = bodyOf({ seen: { isUnread: true, statuses } });
  expect(JSON.stringify(replayed)).toBe(JSON.stringify({ ...created, data: seen }));
  expect(mismatches(LeanMessageCreated, bodyOf({ unread: 3 }))).toEqual([]);
  expect(mismatches(LeanMessageCreated, replayed)).toEqual([]);
});
