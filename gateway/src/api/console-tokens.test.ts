import { ROUTES } from './routes.ts';
import { subjectOf } from '../admission/console-tokens.ts';

// docs/console.md#what-leaves-the-platform

const REACHED = ROUTES.filter(({ auth }) => auth === 'bearer').map(
  (route) => [`${route.method} ${route.path}`, route] as const,
);
/** Calls that set up or reveal a channel through which messages still leave after the person has lost their role. */
const OF_OWNERS = /\/(webhooks|exports|export_security|export_schedule|push_tokens)(\/|$)/;
const SHOWS_MESSAGES = /conversation|message|content|announcement|notification|delivery_id|pushes|as_user_id/;

describe('every route of the server API', () => {
  test.each(REACHED)('%s says who may call it, what leaves by it, and what is recorded', (_, route) => {
    const { operator, method } = route;
    expect(operator).toBeDefined();
    if (method !== 'GET') expect(operator?.recorded).toBe('call');
    else if (operator?.leaves === 'messages' || operator?.leaves === 'credentials')
      expect(operator.recorded).toBe('read');
  });

  test.each(REACHED.filter(([, { method, path }]) => method !== 'GET' && OF_OWNERS.test(path)))(
    '%s sets up or ends what outlives a session',
    (_, { operator, method }) => expect(operator?.role).toBe(method === 'DELETE' ? operator?.role : 'owner'),
  );

  test.each(REACHED.filter(([, { path }]) => SHOWS_MESSAGES.test(path)))(
    '%s is not for viewers',
    (_, route) => {
      expect(route.operator?.role).not.toBe('viewer');
      expect(route.operator?.recorded).not.toBe('none');
    },
  );

  test.each(REACHED.filter(([, { operator }]) => operator?.leaves === 'credentials'))(
    '%s is for owners, since credentials leave by it',
    (_, { operator }) => expect(operator?.role).toBe('owner'),
  );

  test('routes without an access token are not reached by people of the console', () => {
    const others = ROUTES.filter(({ auth }) => auth === 'none' || auth === 'checked');
    expect(others.filter(({ operator }) => operator)).toEqual([]);
  });
});

describe('the subject of an entry', () => {
  const app = '/apps/01990000-0000-7000-8000-000000000001';

  test.each([
    ['/apps/:app_uuid/webhooks/:webhook_id/activate', `${app}/webhooks/w1/activate`, '/webhooks/w1/activate'],
    ['/apps/:app_uuid', app, '/'],
    [
      '/apps/:app_uuid/users/:as_user_id/sessions/:token',
      `${app}/users/ada/sessions/s3cret`,
      '/users/ada/sessions/…',
    ],
    ['/apps/:app_uuid/users/:as_user_id', `${app}/users/%61d%61`, '/users/ada'],
    [
      '/apps/:app_uuid/users/:as_user_id/conversations/:conversation_id/messages',
      `${app}/users/${'%C3%A4'.repeat(256)}/conversations/c1/messages`,
      `/users/${'%C3%A4'.repeat(25)}/conversations/c1/messages`,
    ],
  ])('of %s is the path below that of the application', (route, path, subject) => {
    expect(subjectOf({ path: route }, path)).toBe(subject);
  });

  test.each(REACHED)('of %s shows ids and words of the API alone', (_, { path }) => {
    const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) =>
      name.endsWith('_id') || name === 'app_uuid' ? 'id' : 's3cret',
    );
    expect(subjectOf({ path }, filled)).not.toContain('s3cret');
  });
});
