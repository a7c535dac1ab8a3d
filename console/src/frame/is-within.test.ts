import { isWithin } from './is-within.ts';

test.each([
  ['/apps/x', '/apps/x', true],
  ['/apps/x/users', '/apps/x', false],
  ['/apps/x/users', '/apps/x/users', true],
  ['/apps/x/users/ada', '/apps/x/users', true],
  ['/apps/x/users-of-another', '/apps/x/users', false],
])('the page %s is within %s: %s', (pathname, at, is) => {
  expect(isWithin(pathname, at)).toBe(is);
});
