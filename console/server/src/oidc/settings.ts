import { isUuid } from '@parley/domain/ids';
import { list, secret, secrets, secureUrl, str } from '@parley/kit/runtime/config/env';
import { setting, type ConfigOf } from '@parley/kit/runtime/config/settings';
import type { Grant } from '../access/principal.ts';
import { isRole } from '@parley/administration/roles';

/** People for whom the identity provider says `value` get the role. */
export type RoleRule = Grant & { value: string };

const roleRules = list<RoleRule>(
  '`<value>=<role>` or `<value>=<role>:<application uuid>`, of the roles viewer, operator and owner',
  parseRule,
);

/** Sign-in by OpenID Connect. docs/console.md#sign-in-with-openid-connect */
export const oidcSettings = {
  issuer: setting(
    'PARLEY_OIDC_ISSUER',
    secureUrl({ default: undefined }),
    'Identity provider of the console, an OpenID Connect issuer. Default: none, and no sign-in by one.',
  ),
  clientId: setting(
    'PARLEY_OIDC_CLIENT_ID',
    str({ default: 'parley' }),
    'The id of the console at the identity provider.',
  ),
  clientSecret: setting(
    'PARLEY_OIDC_CLIENT_SECRET',
    secret({ default: undefined }),
    'The secret of the console at the identity provider; none for a public client.',
  ),
  acceptedClientSecrets: setting(
    'PARLEY_OIDC_ACCEPTED_CLIENT_SECRETS',
    secrets({ default: [] }),
    'Values that are tried when the identity provider refuses `PARLEY_OIDC_CLIENT_SECRET`, while it is [rotated](operations.md#rotate-a-secret).',
  ),
  scope: setting(
    'PARLEY_OIDC_SCOPE',
    str({ default: 'openid profile email' }),
    'Scopes that the console asks for. The claim with the roles must be among what they give.',
  ),
  rolesClaim: setting(
    'PARLEY_OIDC_ROLES_CLAIM',
    str({ default: 'groups' }),
    'The claim that roles come from: a text or a list of texts. Dots lead into objects, such as `realm_access.roles`.',
  ),
  roles: setting(
    'PARLEY_OIDC_ROLES',
    roleRules({ default: [] }),
    'Roles by value of that claim. People without any cannot sign in.',
  ),
};

export type OidcConfig = ConfigOf<typeof oidcSettings>;

function parseRule(entry: string): RoleRule | undefined {
  const [, value, role, appId] = /^(.+)=([a-z]+)(?::([\da-f-]+))?$/i.exec(entry) ?? [];
  if (value === undefined || role === undefined || !isRole(role)) return undefined;
  if (appId !== undefined && !isUuid(appId)) return undefined;
  return { value, role, appId: appId?.toLowerCase() };
}
