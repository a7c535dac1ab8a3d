import { Code } from '@connectrpc/connect';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { until } from '@parley/stack/testing';
import { generate } from 'selfsigned';
import { createLogger } from '../telemetry/log.ts';
import { createRpcChannel, type RpcTls } from './client.ts';
import { createRpcServer } from './server.ts';

const EC = { keyType: 'ec', algorithm: 'sha256' } as const;
const log = createLogger({ service: 'test', level: 'silent' });

/** Makes an authority, and certificates that it signs. */
async function createAuthority() {
  const ca = await generate([{ name: 'commonName', value: 'authority' }], {
    ...EC,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  return async (name: string): Promise<RpcTls> => {
    const pems = await generate([{ name: 'commonName', value: name }], {
      ...EC,
      ca: { key: ca.private, cert: ca.cert },
      extensions: [
        { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
        { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      ],
    });
    return { ca: Buffer.from(ca.cert), key: Buffer.from(pems.private), cert: Buffer.from(pems.cert) };
  };
}

test('with TLS both ends need a certificate of the authority, and then no secret', async () => {
  const [ours, theirs] = await Promise.all([createAuthority(), createAuthority()]);
  const server = createRpcServer({ log, tls: await ours('messaging') });
  server.service(IdentityService, { issueNonce: () => ({ nonce: 'n' }) });
  const address = `127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  const call = async (tls: RpcTls | undefined) => {
    const channel = createRpcChannel({ address, tls, log });
    return channel.client(IdentityService).issueNonce({}).finally(channel.close);
  };
  const client = { ...(await ours('gateway')), serverName: 'messaging' };
  const stranger = await theirs('gateway');
  await expect(call(client)).resolves.toMatchObject({ nonce: 'n' });
  const refused = { code: Code.Unavailable };
  await expect(call({ ...client, serverName: 'identity' })).rejects.toMatchObject(refused);
  await expect(call({ ...client, key: stranger.key, cert: stranger.cert })).rejects.toMatchObject(refused);
  await expect(call({ ...client, ca: stranger.ca })).rejects.toMatchObject(refused);
  await expect(call(undefined)).rejects.toMatchObject(refused);
  await server.stop(0);
});

test('a multiplexing stream has the same certificates', async () => {
  const ours = await createAuthority();
  const server = createRpcServer({ log, tls: await ours('messaging') });
  server.service(IdentityService, {
    findIdentities: (_, { url }) => ({ identities: [{ userId: new URL(url).host }] }),
  });
  const address = `127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  const tls = { ...(await ours('gateway')), serverName: 'messaging' };
  const multiplexed = [IdentityService.method.findIdentities];
  const channel = createRpcChannel({ address, tls, log, multiplexed });
  const client = channel.client(IdentityService);
  const isMultiplexed = async () => {
    const { identities } = await client.findIdentities({});
    return identities[0]?.userId === 'multiplexed' || undefined;
  };
  await until(isMultiplexed, { withinMs: 10_000, what: 'a multiplexed call' });
  channel.close();
  await server.stop(0);
});
