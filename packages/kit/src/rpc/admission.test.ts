import { Code } from '@connectrpc/connect';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { createLogger } from '../runtime/telemetry/log.ts';
import { createRpcServer } from './server.ts';
import { createHarness, SECRET, type Harness } from './testing/harness.ts';

let harness: Harness;
beforeEach(() => (harness = createHarness()));
afterEach(() => harness.close());

test.each([undefined, 'a secret of the test!', SECRET.slice(1), `${SECRET} `])(
  'a caller with the secret %p is refused',
  async (secret) => {
    let calls = 0;
    const { port } = await harness.serve({ issueNonce: () => ({ nonce: String((calls += 1)) }) });
    const client = harness.connect(`127.0.0.1:${port}`, { secret }).client(IdentityService);
    await expect(client.issueNonce({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    expect(calls).toBe(0);
  },
);

test('a caller with an accepted secret is admitted', async () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  const server = createRpcServer({ log, secret: 'the next secret', acceptedSecrets: [SECRET] });
  harness.onClose(() => server.stop(0));
  server.service(IdentityService, { issueNonce: () => ({ nonce: 'n' }) });
  const port = await server.listen(0, '127.0.0.1');
  const call = (secret: string) =>
    harness.connect(`127.0.0.1:${port}`, { secret }).client(IdentityService).issueNonce({});
  await expect(call(SECRET)).resolves.toBeDefined();
  await expect(call('the next secret')).resolves.toBeDefined();
  await expect(call('another secret')).rejects.toMatchObject({ code: Code.Unauthenticated });
});

test('a server without secret and TLS is not made', () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  expect(() => createRpcServer({ log })).toThrow('needs a secret or TLS');
  expect(() => createRpcServer({ log, secret: '' })).toThrow('needs a secret or TLS');
});
