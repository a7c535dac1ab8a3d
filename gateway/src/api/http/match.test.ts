import { ROUTES } from '../routes.ts';
import { compileRoutes } from './match.ts';

const matcher = compileRoutes(ROUTES);

test.each(['', '/apps/a/users/u', '/apps/a/conversations/c'])(
  'PUT and DELETE take nothing that clients leave of the reactions . and .. below %s/messages',
  (scope) => {
    for (const key of ['.', '..', '%2e', '.%2E']) {
      const { pathname } = new URL(`${scope}/messages/m/reactions/${key}`, 'https://chat.example');
      for (const method of ['PUT', 'DELETE']) expect(matcher.find(method, pathname)).toBeUndefined();
      expect(matcher.allow(pathname)).toBeUndefined();
    }
    expect(matcher.find('DELETE', `${scope}/messages/m`)?.params).toMatchObject({ message_id: 'm' });
  },
);

test.each([
  ['GET', '/messages/m'],
  ['PATCH', '/messages/m'],
  ['GET', '/messages/m/reactions'],
  ['DELETE', '/conversations/c'],
])('a slash at the end makes no difference to %s %s', (method, path) => {
  const found = matcher.find(method, path);
  expect(found).toBeDefined();
  expect(matcher.find(method, `${path}/`)).toEqual(found);
});
