import { isAfterSignOut, oidcAddress, reasonOf } from './sign-in-address.ts';

const at = (address: string) => new URL(address, 'https://chat.example');

test.each([
  ['/console/sign-in?error=no_role', 'You have no role in this console.'],
  ['/console/sign-in?error=something_new', 'The sign-in failed. Begin again.'],
  ['/console/sign-in?error=constructor', 'The sign-in failed. Begin again.'],
  ['/console/sign-in', undefined],
  ['/console/apps?error=no_role', undefined],
])('the page at %s says %j', (address, reason) => {
  expect(reasonOf(at(address))).toBe(reason);
});

test.each([
  ['/console/sign-in?signed_out', true],
  ['/console/sign-in', false],
  ['/console/apps?signed_out', false],
])('at %s the person has just signed out: %s', (address, has) => {
  expect(isAfterSignOut(at(address))).toBe(has);
});

test.each([
  ['/console/apps/x/users?q=a&b=c', '/console/apps/x/users?q=a&b=c'],
  ['/console/sign-in?error=no_role', '/console/'],
])('a sign-in that begins at %s comes back to %s', (address, returnTo) => {
  const { pathname, searchParams } = at(oidcAddress(at(address)));
  expect([pathname, searchParams.get('return_to')]).toEqual(['/console/sign-in/oidc', returnTo]);
});
