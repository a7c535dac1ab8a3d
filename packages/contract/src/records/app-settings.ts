import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { named, oneOf, only } from '../schema/schema.ts';
import { PRIVATE_IDENTITY_FIELDS } from './identity.ts';

/** Values of the setting `user_directory`. */
export const USER_DIRECTORIES = ['everyone', 'shared', 'nobody'] as const;
export type UserDirectory = (typeof USER_DIRECTORIES)[number];

const OPERATION = only('set', 'Gives the setting a value.');

export const AppSettingStep = named(
  'AppSettingStep',
  Type.Union(
    [
      Type.Object({
        operation: OPERATION,
        property: only('session_ttl_in_seconds', 'How long new sessions last.'),
        value: Type.Integer({
          minimum: limits.minSessionSeconds,
          maximum: limits.maxSessionSeconds,
          description: `Seconds, by default ${limits.defaultSessionSeconds}.`,
        }),
      }),
      Type.Object({
        operation: OPERATION,
        property: only('inline_body_bytes', 'The largest inline body of a message part.'),
        value: Type.Integer({
          minimum: limits.inlineBodyBytes,
          maximum: limits.maxInlineBodyBytes,
          description: `Bytes of UTF-8, by default ${limits.inlineBodyBytes}.`,
        }),
      }),
      Type.Object({
        operation: OPERATION,
        property: only('user_directory', 'Whom users find by `GET /users`.'),
        value: oneOf(
          USER_DIRECTORIES,
          'Whom `GET /users` finds: `everyone`, the users with whom the caller shares a conversation (`shared`), or `nobody`, the default.',
        ),
      }),
      Type.Object({
        operation: OPERATION,
        property: only(
          'public_identity_fields',
          'The fields that users read in the identities of other users.',
        ),
        value: Type.Array(oneOf(PRIVATE_IDENTITY_FIELDS, 'A field of an identity.'), {
          uniqueItems: true,
          maxItems: PRIVATE_IDENTITY_FIELDS.length,
          description: 'Each name at most once; by default none. Replaces the list.',
        }),
      }),
    ],
    { description: 'One changed setting of the app.' },
  ),
);

export const AppSettingsPatch = Type.Array(AppSettingStep, {
  maxItems: limits.patchOperations,
  description: 'Settings to change; the last value of a setting counts.',
});
export type AppSettingsPatch = Static<typeof AppSettingsPatch>;
