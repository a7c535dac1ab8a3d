import Type, { type Static } from 'typebox';
import { identityUri, url } from '../schema/ids.ts';
import { named, nullable } from '../schema/schema.ts';

export const BasicIdentity = named(
  'BasicIdentity',
  Type.Object(
    {
      id: identityUri('URI of the identity.'),
      url: url('Where the identity is read.'),
      user_id: Type.String({ description: 'The id that the application gave the user.', examples: ['ada'] }),
      display_name: nullable(Type.String({ description: 'Name to show.', examples: ['Ada Lovelace'] })),
      avatar_url: nullable(Type.String({ description: 'Address of a picture.' })),
    },
    { description: 'Who a user is, as far as other records show it.' },
  ),
);
export type BasicIdentity = Static<typeof BasicIdentity>;
