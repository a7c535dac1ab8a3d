import { hasRole, type RoleGrant } from './roles.ts';

const OF_ALL: RoleGrant[] = [{ role: 'operator', app_id: null }];
const OF_ONE: RoleGrant[] = [{ role: 'owner', app_id: 'looms' }];

test.each([
  ['an operator of all has', OF_ALL, 'viewer', undefined, true],
  ['an operator of all has', OF_ALL, 'operator', 'looms', true],
  ['an operator of all lacks', OF_ALL, 'owner', 'looms', false],
  ['an owner of an application has', OF_ONE, 'owner', 'looms', true],
  ['an owner of an application lacks', OF_ONE, 'viewer', 'engines', false],
  ['an owner of an application lacks', OF_ONE, 'viewer', undefined, false],
  ['a person without a role lacks', [], 'viewer', 'looms', false],
] as const)('%s (%j) the role %s in %s: %s', (_, granted, needed, appUuid, has) => {
  expect(hasRole(granted, needed, appUuid)).toBe(has);
});
