import { readSettings } from '@parley/kit/runtime/config/settings';
import { grantsOf } from './roles.ts';
import { oidcSettings, type RoleRule } from './settings.ts';

const APP = '01990000-0000-7000-8000-000000000001';
const roles: RoleRule[] = [
  { value: 'admins', role: 'owner', appId: undefined },
  { value: 'support', role: 'viewer', appId: undefined },
  { value: 'team', role: 'operator', appId: APP },
];

test.each<[object, string, RoleRule['role'][]]>([
  [{ groups: ['admins'] }, 'groups', ['owner']],
  [{ groups: 'support' }, 'groups', ['viewer']],
  [{ groups: ['team', 'support', 'unknown'] }, 'groups', ['viewer', 'operator']],
  [{ realm_access: { roles: ['admins'] } }, 'realm_access.roles', ['owner']],
  [{ 'https://example.com/roles': ['team'] }, 'https://example.com/roles', ['operator']],
  [{ groups: ['ADMINS'] }, 'groups', []],
  [{ groups: { admins: true } }, 'groups', []],
  [{ groups: [['admins']] }, 'groups', []],
  [{ groups: null }, 'groups', []],
  [{}, 'groups', []],
  [{}, '__proto__', []],
  [{}, 'constructor.name', []],
])('claims %j by %s', (claims, rolesClaim, expected) => {
  expect(grantsOf({ ...claims }, { rolesClaim, roles }).map(({ role }) => role)).toEqual(expected);
});

test.each(['admins', '=owner', 'admins=boss', 'team=viewer:not-a-uuid', 'a=owner,b='])(
  'the rule %s ends the start',
  (rule) => {
    expect(() => readSettings(oidcSettings, { PARLEY_OIDC_ROLES: rule })).toThrow('PARLEY_OIDC_ROLES: not');
  },
);
