import { Code } from '@connectrpc/connect';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { createAuthority, until, type Authority } from '@parley/testing';
import { createLogger } from '../runtime/telemetry/log.ts';
import type { TlsFiles, TlsSource } from '../runtime/tls/folder.ts';
import { createRpcChannel } from './client.ts';
import { createRpcServer } from './server.ts';

const log = createLogger({ service: 'test', level: 'silent' });

type Replaceable = TlsSource & { replace(files: TlsFiles): void };

function sourceOf(first: TlsFiles): Replaceable {
  const listeners = new Set<(files: TlsFiles) => void>();
  let files = first;
  return {
    current: () => files,
    onChange(fn) {
      listeners.add(fn);
      return () => void listeners.delete(fn);
    },
    replace(next) {
      files = next;
      for (const fn of listeners) fn(next);
    },
  };
}

async function issue(authority: Authority, name: string): Promise<TlsFiles> {
  const { ca, cert, key } = await authority.issue(name);
  return { ca: Buffer.from(ca), cert: Buffer.from(cert), key: Buffer.from(key) };
}

const serverName = 'messaging';
const refused = { code: Code.Unavailable };

async function startServer(tls: TlsSource) {
  const server = createRpcServer({ log, tls });
  server.service(IdentityService, {
    issueNonce: () => ({ nonce: 'n' }),
    findIdentities: (_, { url }) => ({ identities: [{ userId: new URL(url).host }] }),
  });
  return { server, address: `127.0.0.1:${await server.listen(0, '127.0.0.1')}` };
}

/** A call over a connection of its own. */
function call(options: { address: string; tls?: TlsSource | undefined; serverName?: string }) {
  const channel = createRpcChannel({ log, ...options });
  return channel.client(IdentityService).issueNonce({}).finally(channel.close);
}

test('with TLS both ends need a certificate of the authority, and then no secret', async () => {
  const [ours, theirs] = await Promise.all([createAuthority(), createAuthority()]);
  const { server, address } = await startServer(sourceOf(await issue(ours, serverName)));
  const files = await issue(ours, 'gateway');
  const stranger = await issue(theirs, 'gateway');
  const tls = sourceOf(files);
  await expect(call({ address, tls, serverName })).resolves.toMatchObject({ nonce: 'n' });
  await expect(call({ address, tls, serverName: 'identity' })).rejects.toMatchObject(refused);
  for (const other of [
    { ...files, key: stranger.key, cert: stranger.cert },
    { ...files, ca: stranger.ca },
  ])
    await expect(call({ address, tls: sourceOf(other), serverName })).rejects.toMatchObject(refused);
  await expect(call({ address })).rejects.toMatchObject(refused);
  await server.stop(0);
});

test('replaced certificates count for new connections, without a restart of either end', async () => {
  const [before, after] = await Promise.all([createAuthority(), createAuthority()]);
  const source = sourceOf(await issue(before, serverName));
  const { server, address } = await startServer(source);
  const old = sourceOf(await issue(before, 'gateway'));
  const lasting = sourceOf(old.current());
  const channel = createRpcChannel({ log, address, tls: lasting, serverName });
  const client = channel.client(IdentityService);
  await client.issueNonce({});
  source.replace(await issue(after, serverName));
  lasting.replace(await issue(after, 'gateway'));
  await expect(client.issueNonce({})).resolves.toMatchObject({ nonce: 'n' });
  await expect(call({ address, tls: old, serverName })).rejects.toMatchObject(refused);
  await expect(call({ address, tls: lasting, serverName })).resolves.toMatchObject({ nonce: 'n' });
  channel.close();
  await server.stop(0);
});

test('a channel that connects again uses the certificates of that moment', async () => {
  const [before, after] = await Promise.all([createAuthority(), createAuthority()]);
  const first = await startServer(sourceOf(await issue(before, serverName)));
  const tls = sourceOf(await issue(before, 'gateway'));
  const channel = createRpcChannel({ log, address: first.address, tls, serverName });
  const client = channel.client(IdentityService);
  await client.issueNonce({});
  await first.server.stop(0);
  tls.replace(await issue(after, 'gateway'));
  const second = createRpcServer({ log, tls: sourceOf(await issue(after, serverName)) });
  second.service(IdentityService, { issueNonce: () => ({ nonce: 'again' }) });
  await second.listen(Number(first.address.split(':')[1]), '127.0.0.1');
  const attempt = () =>
    client.issueNonce({}).then(
      ({ nonce }) => nonce,
      () => undefined,
    );
  expect(await until(attempt, { withinMs: 10_000, what: 'a call of the second server' })).toBe('again');
  channel.close();
  await second.stop(0);
});

test('a multiplexing stream has the same certificates', async () => {
  const ours = await createAuthority();
  const { server, address } = await startServer(sourceOf(await issue(ours, serverName)));
  const tls = sourceOf(await issue(ours, 'gateway'));
  const channel = createRpcChannel({ address, tls, serverName, log, multiplexing: {} });
  const client = channel.client(IdentityService);
  const isMultiplexed = async () => {
    const { identities } = await client.findIdentities({});
    return identities[0]?.userId === 'multiplexed' || undefined;
  };
  await until(isMultiplexed, { withinMs: 10_000, what: 'a multiplexed call' });
  channel.close();
  await server.stop(0);
});
