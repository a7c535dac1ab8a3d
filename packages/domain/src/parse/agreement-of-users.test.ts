import { limits } from '@parley/contract/limits';
import { AnnouncementInput } from '@parley/contract/records/announcement';
import { BlocksPatch } from '@parley/contract/records/block';
import { UsersToFollow } from '@parley/contract/records/following';
import { IdentityInput, IdentityUpdate } from '@parley/contract/records/identity-input';
import { NotificationRequest } from '@parley/contract/records/notification';
import { PresenceInput } from '@parley/contract/records/presence';
import { PushTokenInput } from '@parley/contract/records/push-token';
import { UserPatch } from '@parley/contract/records/user';
import { nullable } from '@parley/contract/schema/schema';
import { SOCKET_METHODS } from '@parley/contract/socket/requests/index';
import { describeAgreement, eitherBodyOrContent, wholeOf } from '../testing/agreement.ts';
import { wire } from '../testing/samples.ts';
import { parseAnnouncement } from './announcement.ts';
import { parseArray } from './fields.ts';
import { parseIdentityList } from './identity-refs.ts';
import { parseIdentity } from './identity.ts';
import { parseNotificationRequest } from './notification-request.ts';
import { parsePresence, parsePresenceIds, parsePresencePatch } from './presence.ts';
import { parsePushToken } from './push-token.ts';
import { parseBlocksPatch, parseUserPatch } from './user-patch.ts';

const RULES = { wire, inlineBodyBytes: limits.maxInlineBodyBytes };

describeAgreement('an identity to create', {
  schema: IdentityInput,
  parse: (body) => parseIdentity(body, 'create'),
  properties: wholeOf('metadata'),
});

describeAgreement('changes of an identity', {
  schema: IdentityUpdate,
  parse: (body) => parseIdentity(body, 'update'),
  properties: ofSteps(
    'display_name',
    'avatar_url',
    'first_name',
    'last_name',
    'phone_number',
    'email_address',
    'public_key',
    'type',
    'identity_type',
    'metadata',
  ),
});

describeAgreement('a patch of a user', {
  schema: UserPatch,
  parse: (body) => parseUserPatch(wire, body),
  properties: ofSteps('suspended', 'blocks'),
});

describeAgreement('a patch of blocks', {
  schema: BlocksPatch,
  parse: (body) => parseBlocksPatch(wire, body),
  properties: ofSteps('blocks'),
});

describeAgreement('users to follow', {
  schema: UsersToFollow,
  parse: (body) =>
    parseIdentityList(wire, parseArray(body), { property: 'user_ids', most: limits.followedAtOnce }),
  properties: () => ['user_ids'],
});

describeAgreement('what a user appears as', { schema: PresenceInput, parse: parsePresence });

describeAgreement('whose presence a socket subscribes to', {
  schema: nullable(SOCKET_METHODS['Presence.subscribe'].data.schema),
  parse: (data) => parsePresenceIds(wire, data, 1_000),
  properties: wholeOf('ids'),
});

describeAgreement('what a user appears as, over a socket', {
  schema: SOCKET_METHODS['Presence.update'].data.schema,
  parse: parsePresencePatch,
  properties: (path) => [path === '' ? String(limits.patchOperations) : path, 'status'],
});

const WEB_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

describeAgreement('a device', { schema: PushTokenInput, parse: parsePushToken, adjust: withWebKeys });

describeAgreement('a push without a message', {
  schema: NotificationRequest,
  parse: (body) => parseNotificationRequest(wire, body),
  properties: wholeOf('recipients', 'data'),
});

describeAgreement('an announcement', {
  schema: AnnouncementInput,
  parse: (body) => parseAnnouncement(RULES, body),
  properties: (path) => wholeOf('recipients')(path).flatMap(eitherBodyOrContent),
});

/** Maps a step of a patch to the property of the record that it sets. */
function ofSteps(...properties: string[]): (path: string) => string[] {
  return (path) => {
    if (path === '') return [String(limits.patchOperations)];
    if (!/^\d+\.(id|value)/.test(path)) return wholeOf('metadata')(path);
    return [path, path.replace('value', 'id'), ...properties];
  };
}

/** A browser's subscription has an address and keys, which the schema cannot check. */
function withWebKeys(body: unknown): unknown {
  const { type } = body as { type: string };
  if (type !== 'web') return body;
  return { ...(body as object), token: 'https://push.example/1', keys: WEB_KEYS };
}
