import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { SERVICES } from '@parley/administration/describe';
import { permissionOf } from './permissions.ts';

// docs/console.md#what-leaves-the-platform

const METHODS = SERVICES.flatMap((service) =>
  service.methods.map(
    (method) => [method.name, method, permissionOf(service.typeName, method.name)] as const,
  ),
);
/** Reads that the descriptor does not call so. */
const READS = ['ValidateIdentityToken'];

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
