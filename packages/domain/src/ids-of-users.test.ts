import { readFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '@parley/contract/limits';
import { ODD_NAMES } from '@parley/contract/testing/odd-names';
import fc from 'fast-check';
import { identityUri, isNewUserId, parseUserSegment, userSegment } from './ids.ts';
import { identityUrl, viewRoot } from './json/view.ts';
import { joinPath } from './metadata/patch.ts';
import { parseAnnouncement } from './parse/announcement.ts';
import { parseConversation } from './parse/conversation.ts';
import { parseExportedConversation, parseExportedMessage } from './parse/exported.ts';
import { parseArray } from './parse/fields.ts';
import { parseIdentityList, parseIdentityValue } from './parse/identity-refs.ts';
import { parseServerMessage } from './parse/message.ts';
import { parseNotificationRequest } from './parse/notification-request.ts';
import { parsePage } from './parse/page.ts';
import { parsePatch } from './parse/patch.ts';
import { parsePresenceIds } from './parse/presence.ts';
import { parseSignificance } from './parse/significance.ts';
import { parseBlocksPatch, parseUserPatch } from './parse/user-patch.ts';
import { problemOf } from './problems.ts';
import { conversationId, messageId, rules, viewOf, wire } from './testing/samples.ts';
import { anyUserId } from './testing/user-ids.ts';
import { createWire } from './wire.ts';

const parts = [{ mime_type: 'text/plain', body: 'x' }];
const exported = {
  id: messageId,
  conversation: { id: conversationId },
  position: 1,
  sent_at: '2026-11-20T20:15:30.123Z',
  parts,
};
const room = { id: conversationId, created_at: exported.sent_at, participants: [], metadata: {} };
const added = (property: string, id: string) => [{ operation: 'add', property, id }];

/** Every request field that names a user, with the user id that its parser reads. */
const FIELDS: Record<string, (id: string) => unknown> = {
  'participants of a conversation': (id) => parseConversation(wire, { participants: [id] }).participantIds[0],
  'participants that a patch adds': (id) => userOf(parsePatch(wire, added('participants', id))[0]),
  'participants that a patch sets': (id) =>
    userOf(parsePatch(wire, [{ operation: 'set', property: 'participants', value: [id] }])[0]),
  'roles of a conversation': (id) =>
    parseConversation(wire, { participants: ['x'], roles: keyed(id, 'owner') }).roles?.[0]?.userId,
  'roles that a patch sets': (id) =>
    userOf(parsePatch(wire, [{ operation: 'set', property: joinPath(['roles', id]), value: 'owner' }])[0]),
  'history that a patch shows': (id) =>
    userOf(parsePatch(wire, [{ operation: 'set', property: joinPath(['history', id]), value: 'all' }])[0]),
  'sender of a message': (id) => parseServerMessage(rules, { sender_id: id, parts }).senderId,
  'sender of an announcement': (id) =>
    parseAnnouncement(rules, { recipients: ['x'], sender_id: id, parts }).senderId,
  'recipients of an announcement': (id) =>
    parseAnnouncement(rules, { recipients: [id], sender_id: 'x', parts }).recipients[0],
  'recipients of a notification': (id) =>
    parseNotificationRequest(wire, { recipients: [id], notification: { text: 'x' } }).userIds[0],
  'recipients of a significance': (id) => {
    return [...(parseSignificance(wire, { recipients: keyed(id, 'low') })?.lowByUserId.keys() ?? [])][0];
  },
  'blocks that a patch adds': (id) => parseBlocksPatch(wire, added('blocks', id))[0]?.userIds[0],
  'blocks of a user': (id) => parseUserPatch(wire, added('blocks', id)).blocks[0]?.userIds[0],
  'users to follow': (id) => parseIdentityList(wire, parseArray([id]), { property: 'user_ids' })[0],
  'user of a restriction': (id) => parseIdentityValue(wire, id, 'user_id'),
  'presence of users': (id) => parsePresenceIds(wire, { ids: [id] }, 10)?.[0],
  'the last user of a page': (id) =>
    parsePage(wire, new URLSearchParams({ from_id: id }), { max: 10, kind: 'identities' }).fromId,
  'participants of an export': (id) =>
    parseExportedConversation(wire, { ...room, participants: [{ id }] }).participants[0]?.userId,
  'roles of an exported conversation': (id) =>
    parseExportedConversation(wire, { ...room, roles: keyed(id, 'owner') }).roles?.[0]?.userId,
  'who froze an exported conversation': (id) =>
    parseExportedConversation(wire, { ...room, frozen: { at: exported.sent_at, by: id } }).frozen?.by,
  'sender of an exported message': (id) =>
    parseExportedMessage(wire, { ...exported, sender: { id }, recipient_status: {} }).sender.userId,
  'recipients of an exported message': (id) => {
    const fields = { ...exported, sender: { id: 'x' }, recipient_status: keyed(id, 'sent') };
    return [...parseExportedMessage(wire, fields).statuses.keys()][0];
  },
};

function userOf(operation: ReturnType<typeof parsePatch>[number] | undefined): unknown {
  const step = operation?.step;
  if (step?.case === 'setRole') return step.value.userId;
  return step?.case === 'setParticipants' ? step.value.userIds[0] : step?.value;
}

/** An object with a key of any name, `__proto__` too. */
function keyed(key: string, value: string): object {
  return JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(value)}}`) as object;
}

/** Places where the descriptions of the APIs take a user: the last component of the place, and the field of the table above. */
const PLACES: Record<string, keyof typeof FIELDS> = {
  'AnnouncementInput.recipients': 'recipients of an announcement',
  'AnnouncementInput.sender_id': 'sender of an announcement',
  'BlockStep.id': 'blocks that a patch adds',
  'BlockStep.value': 'blocks that a patch adds',
  'ChangeParticipant.id': 'participants that a patch adds',
  'ConversationInput.participants': 'participants of a conversation',
  'MessageBatch.sender_id': 'sender of a message',
  'NotificationRequest.recipients': 'recipients of a notification',
  'PresenceSubscribeRequestPacket.ids': 'presence of users',
  'PresenceSyncRequestPacket.ids': 'presence of users',
  'RestrictionCreateRequestPacket.user_id': 'user of a restriction',
  'RestrictionDeleteRequestPacket.user_id': 'user of a restriction',
  'ServerMessageInput.sender_id': 'sender of a message',
  'SetParticipants.value': 'participants that a patch sets',
  'Significance.recipients': 'recipients of a significance',
  followUsers: 'users to follow',
};

test('the table has every field in which the descriptions of the APIs take a user', () => {
  const places = new Set<string>();
  function walk(value: unknown, at: string[]): void {
    if (typeof value !== 'object' || value === null) return;
    const { pattern } = value as { pattern?: unknown };
    if (typeof pattern === 'string' && pattern.startsWith('^(svc:///identities/')) places.add(placeOf(at));
    for (const [key, inner] of Object.entries(value)) walk(inner, [...at, key]);
  }
  for (const name of ['openapi.json', 'asyncapi.json'])
    walk(JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../docs', name), 'utf8')), []);
  expect([...places].sort()).toEqual(Object.keys(PLACES).sort());
  expect(Object.keys(FIELDS)).toEqual(expect.arrayContaining(Object.values(PLACES)));
});

function placeOf(at: readonly string[]): string {
  if (at[0] === 'paths') return at[1]?.includes('following') ? 'followUsers' : at.join('/');
  const property = at[at.lastIndexOf('properties') + 1] ?? '';
  return `${at[2] ?? ''}.${property}`;
}

describe.each(Object.entries(FIELDS))('%s', (_, read) => {
  test('names every user by the URI, and every user whom a login makes by the bare id', () => {
    fc.assert(
      fc.property(anyUserId(), (userId) => {
        expect(read(identityUri(wire, userId))).toBe(userId);
        if (isNewUserId(userId)) expect(read(userId)).toBe(userId);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    'chat:///identities/alice',
    'SVC:///identities/alice',
    'svc:///messages/alice',
    'svc:///alice',
    'é:///alice',
  ])('refuses %s, which is neither a user id nor the URI of an identity here', (text) => {
    let id: string | undefined;
    try {
      read(text);
    } catch (error) {
      id = problemOf(error)?.id;
    }
    expect(id).toBe('invalid_property');
  });
});

test('no two users share a name, and no name of a new user is a name of another', () => {
  const named = new Map<string, string>();
  for (const userId of ODD_NAMES.filter((name) => name.length <= limits.userId)) {
    const names = [identityUri(wire, userId), ...(isNewUserId(userId) ? [userId] : [])];
    for (const name of names) {
      expect(named.get(name) ?? userId).toBe(userId);
      named.set(name, userId);
    }
  }
});

describe('a user id in a path', () => {
  const views = (['client', 'server', 'user'] as const).map((audience) => viewOf(audience, 'ada'));

  /** Splits an address as browsers, fetch and proxies do. */
  function segmentsOf(url: string): string[] {
    const { pathname, search, hash } = new URL(url);
    expect([search, hash]).toEqual(['', '']);
    return pathname.split('/').slice(1);
  }

  test('is one segment in every address, and comes back as the same user', () => {
    fc.assert(
      fc.property(anyUserId(), (userId) => {
        for (const view of views) {
          const segments = segmentsOf(identityUrl(view, userId));
          expect(segments).toHaveLength(segmentsOf(identityUrl(view, 'ada')).length);
          const at = segmentsOf(identityUrl(view, 'ada')).lastIndexOf('ada');
          expect(parseUserSegment(wire, decodeURIComponent(segments[at] ?? ''))).toBe(userId);
        }
        const root = segmentsOf(viewRoot({ ...viewOf('user', userId) }));
        expect(root).toHaveLength(4);
        expect(parseUserSegment(wire, decodeURIComponent(root[3] ?? ''))).toBe(userId);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is bare for every user whom a login makes, whatever the deployment is called', () => {
    fc.assert(
      fc.property(anyUserId().filter(isNewUserId), (userId) => {
        for (const name of ['svc', 'chat', 'x']) {
          const named = createWire(name);
          expect(decodeURIComponent(userSegment(named, userId))).toBe(userId);
          expect(parseUserSegment(named, userId)).toBe(userId);
        }
      }),
    );
  });

  test.each(['.', '..'])('is not %s', (text) => {
    expect(parseUserSegment(wire, text)).toBeUndefined();
  });

  test('may be the URI of an identity only if no new user gets the id', () => {
    expect(parseUserSegment(wire, 'svc:///identities/..')).toBe('..');
    expect(parseUserSegment(wire, 'svc:///identities/svc%3A%2F%2F%2Fidentities%2Falice')).toBe(
      'svc:///identities/alice',
    );
    expect(parseUserSegment(wire, 'svc:///identities/alice')).toBe('svc:///identities/alice');
  });
});

test.each([
  ['.', false],
  ['..', false],
  ['...', true],
  ['svc:///identities/alice', false],
  ['svc:///', false],
  ['anything:///x', false],
  ['a.b-c+d_e9:///', false],
  ['é:///x', false],
  [':///x', true],
  ['a b:///x', true],
  ['http://x/y:///z', true],
  ['%73vc:///identities/alice', true],
  ['svc://identities/alice', true],
  ['__proto__', true],
  ['a'.repeat(256), true],
  ['a'.repeat(257), false],
  ['', false],
])('whether a new user may get the id %j: %s', (text, may) => {
  expect(isNewUserId(text)).toBe(may);
});
