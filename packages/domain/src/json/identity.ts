import {
  PRIVATE_IDENTITY_FIELDS,
  type BasicIdentity as BasicIdentityJson,
  type Identity as IdentityJson,
  type PrivateIdentityField,
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

function isPrivateField(field: unknown): field is PrivateIdentityField {
  return PRIVATE_IDENTITY_FIELDS.some((name) => name === field);
}

/** Whether `public_identity_fields` accepts a value: a list of private fields, each at most once. */
export function arePrivateIdentityFields(value: unknown): value is PrivateIdentityField[] {
  return Array.isArray(value) && new Set(value).size === value.length && value.every(isPrivateField);
}

/**
 * Whether the reader of a view sees a field of a user's identity; decided only here. Servers see all fields; users see all of their own,
 * and those private fields of other users that the app has made public. docs/protocol/users.md#private-fields
 */
export function readsIdentityField(view: View, userId: string, field: string): boolean {
  if (!isPrivateField(field) || view.audience !== 'client' || view.userId === userId) return true;
  return view.publicIdentityFields?.includes(field) ?? false;
}

/** JSON of an identity. An identity without a presence is offline and was never seen. docs/protocol/records.md#identity */
export function identityJson(
  view: View,
  identity: Identity,
  presence?: Pick<Presence, 'status' | 'lastSeenAt'>,
): IdentityJson {
  const isBot = identity.type === IdentityType.BOT;
  const reads = (field: PrivateIdentityField) => readsIdentityField(view, identity.userId, field);
  return {
    ...basicIdentityJson(view, identity),
    type: isBot ? 'Bot' : 'User',
    identity_type: isBot ? 'bot' : 'user',
    first_name: identity.firstName ?? null,
    last_name: identity.lastName ?? null,
    phone_number: (reads('phone_number') ? identity.phoneNumber : undefined) ?? null,
    email_address: (reads('email_address') ? identity.emailAddress : undefined) ?? null,
    public_key: identity.publicKey ?? null,
    metadata: identity.metadata,
    presence: presenceJson(presence, view.userId === identity.userId),
  };
}
