import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { STORABLE_TEXT, UUID } from '../patterns.ts';
import { EXAMPLE, NEW_USER_ID } from '../schema/ids.ts';
import { named, oneOf } from '../schema/schema.ts';
import { TOKEN_REASONS } from '../token-reasons.ts';

export const Nonce = named(
  'Nonce',
  Type.Object({
    nonce: Type.String({
      description: 'Belongs into the claim `nce`, unchanged. Valid for one login within 10 minutes.',
    }),
  }),
);
export type Nonce = Static<typeof Nonce>;

export const Session = named(
  'Session',
  Type.Object({
    session_token: Type.String({
      description: 'Goes into the Authorization header of every request: `Svc session-token="…"`.',
    }),
  }),
);
export type Session = Static<typeof Session>;

export const IdentityTokenHeader = named(
  'IdentityTokenHeader',
  Type.Object(
    {
      typ: Type.Literal('JWT'),
      alg: Type.Literal('RS256'),
      cty: Type.Literal('svc-eit;v=1', { description: 'External identity token, version 1.' }),
      kid: Type.String({
        pattern: `^svc:///keys/${UUID}$`,
        description: "URI of the key that signs, one of the provider's.",
      }),
    },
    {
      description:
        'The header of an identity token. The parameter `crit` is refused, since none is supported.',
    },
  ),
);

function seconds(description: string) {
  return Type.Integer({ minimum: 0, description: `${description} Seconds since 1970.` });
}

function profileText(maxLength: number, description: string) {
  return Type.Optional(
    Type.String({
      maxLength,
      pattern: STORABLE_TEXT,
      description: `${description} Changes the identity when it is there.`,
    }),
  );
}

export const IdentityTokenClaims = named(
  'IdentityTokenClaims',
  Type.Object(
    {
      iss: Type.String({
        pattern: `^svc:///providers/${UUID}$`,
        description: 'URI of the provider. It belongs to the app.',
      }),
      prn: Type.String({
        pattern: NEW_USER_ID,
        maxLength: limits.userId,
        description:
          'The user id: what the application calls the user. Neither `.` nor `..`, and it does not begin with a word and `:///`, unless the user exists from before this rule.',
        examples: ['ada'],
      }),
      iat: seconds('When the token was made; at most 60 s in the future.'),
      exp: seconds('When the token ends, 30 s to 10 min ahead. A later login with it is refused.'),
      nce: Type.String({ description: 'The nonce, neither decoded nor changed.' }),
      first_name: profileText(limits.firstName, 'First name.'),
      last_name: profileText(limits.lastName, 'Last name.'),
      display_name: profileText(limits.displayName, 'Name to show.'),
      avatar_url: profileText(limits.avatarUrl, 'Address of a picture.'),
    },
    {
      description:
        'The claims of an identity token. A login creates the identity of `prn`, or refreshes it with the claims that are present.',
    },
  ),
);

export const SessionInput = named(
  'SessionInput',
  Type.Object({
    app_id: Type.String({
      pattern: `^svc:///apps/[a-z][a-z0-9_\\-]{0,31}/${UUID}$`,
      description: 'URI of the app with its environment.',
      examples: [`svc:///apps/production/${EXAMPLE.app}`],
    }),
    identity_token: Type.String({
      contentMediaType: 'application/jwt',
      // As the specification of JSON Schema describes the header and the claims of a token.
      contentSchema: {
        type: 'array',
        minItems: 2,
        prefixItems: [IdentityTokenHeader, IdentityTokenClaims],
        items: {},
      },
      description:
        "A JSON Web Token that the application's login backend has signed: an `IdentityTokenHeader` and `IdentityTokenClaims`.",
    }),
  }),
);
export type SessionInput = Static<typeof SessionInput>;

export const InvalidSessionProperty = named(
  'InvalidSessionProperty',
  Type.Object(
    {
      property: Type.String({ examples: ['identity_token'] }),
      reason: Type.Optional(
        oneOf(TOKEN_REASONS, 'Why the identity token is refused. Absent for another property.'),
      ),
    },
    { description: 'Names the property that is wrong, and why a token is refused.' },
  ),
);
