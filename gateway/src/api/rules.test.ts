import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { SERVICES } from '@parley/administration/describe';
import { permissionOf } from '@parley/console-server/admin/permissions';
import { ENDPOINTS } from '@parley/console-server/sign-in/table';
import { ROUTES } from './index.ts';
import { subjectOf } from '../admission/console-tokens.ts';

// docs/console.md#what-leaves-the-platform

const REACHED = ROUTES.filter(({ auth }) => auth === 'bearer').map(
  (route) => [`${route.method} ${route.path}`, route] as const,
);
const METHODS = SERVICES.flatMap((service) =>
  service.methods.map(
    (method) => [method.name, method, permissionOf(service.typeName, method.name)] as const,
  ),
);
/** Calls that set up or show a way by which messages leave even when the person has no role any more. */
const OF_OWNERS = /\/(webhooks|exports|export_security|export_schedule|push_tokens)(\/|$)/;
const SHOWS_MESSAGES = /conversation|message|content|announcement|notification|delivery_id|pushes|as_user_id/;
/** Reads that the descriptor does not call so. */
const READS = ['ValidateIdentityToken'];

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

describe('every method of the administration API', () => {
  test.each(METHODS)('%s is recorded unless it changes nothing', (name, method, permission) => {
    const isRead =
      method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS || READS.includes(name);
    expect(permission?.recorded).toBe(isRead ? 'none' : 'call');
  });

  test.each(METHODS.filter(([, method]) => method.output.fields.some(({ name }) => isSecret(name))))(
    '%s answers a secret, and is for owners',
    (_, _method, permission) => expect(permission).toMatchObject({ role: 'owner', leaves: 'credentials' }),
  );

  test.each(METHODS.filter(([, method]) => method.input.fields.some(({ name }) => isSecret(name))))(
    '%s takes a secret, and is for owners',
    (_, _method, permission) => expect(permission?.role).toBe('owner'),
  );

  test.each(METHODS.filter(([, , permission]) => permission?.leaves === 'credentials'))(
    '%s is for owners, since credentials leave by it',
    (_, _method, permission) => expect(permission?.role).toBe('owner'),
  );
});

/** Whether a field of this name holds a secret. An identity token does not count: it is valid for a minute at most. */
function isSecret(name: string): boolean {
  return /^(token|code|secret|private_key|service_account)$/.test(name);
}

test.each(ENDPOINTS.filter(([method, path]) => method !== 'get' || path.endsWith('/callback')))(
  'the console’s %s %s is recorded',
  (_method, _path, _endpoint, _caller, _rule, refused) => expect(refused).not.toBeNull(),
);

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
