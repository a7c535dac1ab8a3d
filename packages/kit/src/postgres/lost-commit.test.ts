import { Code } from '@connectrpc/connect';
import { createTestDatabase, until } from '@parley/testing';
import net, { type AddressInfo } from 'node:net';
import { createDatabase, type Database, type Tx } from './index.ts';
import { createLogger } from '../runtime/telemetry/log.ts';

const log = createLogger({ service: 'test', level: 'silent' });
let url: string;
let db: Database;

const open = (databaseUrl: string): Database =>
  createDatabase({ url: databaseUrl, poolSize: 1, log, applicationName: 'lost-answer' });

beforeAll(async () => {
  url = await createTestDatabase();
  db = open(url);
  await db.execute({ text: 'create table item (id integer primary key)' });
});
afterAll(() => db.close());

const insert = { text: 'insert into item (id) values ($1)' };
const hasStored = async (id: number): Promise<boolean> =>
  (await db.query({ text: 'select from item where id = $1', values: [id] })).length > 0;

type Work = (tx: Tx, id: number) => Promise<unknown>;

test.each<[string, number, Work]>([
  ['a transaction', 1, (tx, id) => tx.execute({ ...insert, values: [id] })],
  [
    // Its commit is not sent by name; the proxy recognises the comment instead.
    'a transaction in one piece',
    2,
    (tx, id) => Promise.resolve(tx.last({ text: `${insert.text} /* commit */`, values: [id] })),
  ],
])('%s whose connection is lost in the commit has an unknown outcome', async (_, id, work) => {
  const proxy = await cutAtCommit(new URL(url));
  const through = open(proxy.url);
  const hooks: string[] = [];
  const commit = through.tx(async (tx) => {
    tx.afterCommit(() => hooks.push('called'), 'found');
    tx.afterCommit(() => hooks.push('the same'), 'same');
    tx.afterCommit(
      () => hooks.push('known'),
      () => hooks.push('unknown'),
    );
    await work(tx, id);
  });
  await expect(commit).rejects.toMatchObject({ code: Code.Unavailable, isUnknown: true });
  expect(hooks).toEqual(['the same', 'unknown']);
  await until(async () => (await hasStored(id)) || undefined, { withinMs: 10_000, what: 'committed' });
  await through.close();
  proxy.close();
});

// Passes everything on, but disconnects the client as soon as it has sent its commit.
async function cutAtCommit(target: URL): Promise<{ url: string; close(): void }> {
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    client.on('data', (data) => {
      upstream.write(data);
      if (data.includes('commit')) client.destroy();
    });
    upstream.on('data', (data) => client.writable && client.write(data));
    client.on('error', () => undefined).on('close', () => upstream.end());
    upstream.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxied = new URL(target);
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  return { url: proxied.href, close: () => void server.close() };
}
