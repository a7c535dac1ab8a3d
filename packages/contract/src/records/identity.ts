import Type, { type Static } from 'typebox';
import { identityUri, url } from '../schema/ids.ts';
import { mapOf, named, nullable, oneOf } from '../schema/schema.ts';
import { Presence } from './presence.ts';

const BASIC = {
  id: identityUri('URI of the identity.'),
  url: url('Where the identity is read.'),
  user_id: Type.String({ description: 'The id that the application gave the user.', examples: ['ada'] }),
  display_name: nullable(Type.String({ description: 'Name to show.', examples: ['Ada Lovelace'] })),
  avatar_url: nullable(Type.String({ description: 'Address of a picture.' })),
};

export const BasicIdentity = named(
  'BasicIdentity',
  Type.Object(BASIC, { description: 'Who a user is, as far as other records show it.' }),
);
export type BasicIdentity = Static<typeof BasicIdentity>;

/** Properties that other users read as null, unless the app opens them with its setting `public_identity_fields`. */
export const PRIVATE_IDENTITY_FIELDS = ['phone_number', 'email_address'] as const;
export type PrivateIdentityField = (typeof PRIVATE_IDENTITY_FIELDS)[number];

const PRIVATE = 'Null for other users, unless the app opens it (`public_identity_fields`).';

/** Properties of an identity but for `metadata`, which an event may leave out. */
export const IDENTITY_PROPERTIES = {
  ...BASIC,
  type: oneOf(['User', 'Bot'], 'A person, or a program.'),
  identity_type: oneOf(['user', 'bot'], 'The same as `type`.'),
  first_name: nullable(Type.String({ description: 'First name.' })),
  last_name: nullable(Type.String({ description: 'Last name.' })),
  phone_number: nullable(
    Type.String({ description: `Phone number, as the application wrote it. ${PRIVATE}` }),
  ),
  email_address: nullable(
    Type.String({ description: `E-mail address, as the application wrote it. ${PRIVATE}` }),
  ),
  public_key: nullable(Type.String({ description: 'A key of the user; the platform only keeps it.' })),
  presence: Presence,
};

/** Metadata of an identity. */
export const IDENTITY_METADATA = mapOf(Type.String(), {
  description: "The application's own properties of the user.",
  examples: [{ team: 'analysis' }],
});

export const Identity = named(
  'Identity',
  Type.Object(
    { ...IDENTITY_PROPERTIES, metadata: IDENTITY_METADATA },
    { description: 'The public record of a user.' },
  ),
);
export type Identity = Static<typeof Identity>;
