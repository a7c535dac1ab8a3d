import type {
  BasicIdentity as BasicIdentityJson,
  Identity as IdentityJson,
} from '@parley/contract/records/identity';
import {
  IdentityType,
  type BasicIdentity,
  type Identity,
} from '@parley/proto/parley/identity/v1/identity_pb';
import type { Presence } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { identityUri } from '../ids.ts';
import { presenceJson } from './presence.ts';
import { identityUrl, type View } from './view.ts';

export type { BasicIdentityJson, IdentityJson };

/** docs/protocol/records.md#basicidentity */
export function basicIdentityJson(
  view: View,
  { userId, displayName, avatarUrl }: Pick<BasicIdentity, 'userId' | 'displayName' | 'avatarUrl'>,
): BasicIdentityJson {
  return {
    id: identityUri(view.wire, userId),
    url: identityUrl(view, userId),
    user_id: userId,
    display_name: displayName ?? null,
    avatar_url: avatarUrl ?? null,
  };
}

/** Without a presence: offline, never seen. docs/protocol/records.md#identity */
export function identityJson(
  view: View,
  identity: Identity,
  presence?: Pick<Presence, 'status' | 'lastSeenAt'>,
): IdentityJson {
  const isBot = identity.type === IdentityType.BOT;
  return {
    ...basicIdentityJson(view, identity),
    type: isBot ? 'Bot' : 'User',
    identity_type: isBot ? 'bot' : 'user',
    first_name: identity.firstName ?? null,
    last_name: identity.lastName ?? null,
    phone_number: identity.phoneNumber ?? null,
    email_address: identity.emailAddress ?? null,
    public_key: identity.publicKey ?? null,
    metadata: identity.metadata,
    presence: presenceJson(presence, view.userId === identity.userId),
  };
}
