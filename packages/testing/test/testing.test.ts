import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { createTestDatabase, startNats, startPostgres, testNats } from '../src/index.ts';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('databases are fresh, empty and apart, on one server', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await query(one, 'create table only_here (id int)');
  const tables = `select tablename from pg_tables where schemaname = 'public'`;
  expect(await query(one, tables)).toEqual([{ tablename: 'only_here' }]);
  expect(await query(other, tables)).toEqual([]);
  expect(new URL(one).host).toBe(new URL(other).host);
});

test('a committed row outlives a SIGKILL of Postgres, on the same address', async () => {
  const server = await startPostgres();
  const first = server.pid;
  await query(server.url, 'create table kept (id int)');
  await query(server.url, 'insert into kept values (7)');
  await server.kill();
  await expect(query(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  await server.restart();
  expect(await query(server.url, 'select id from kept')).toEqual([{ id: 7 }]);
  expect(server.pid).not.toBe(first);
  await server.stop();
  await expect(query(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});

test('NATS comes back on the same address, with JetStream', async () => {
  const server = await startNats();
  await server.kill();
  await expect(connect({ servers: server.url, reconnect: false })).rejects.toThrow();
  await server.restart();
  const connection = await connect({ servers: server.url });
  expect(connection.info?.jetstream).toBe(true);
  await connection.close();
  await server.stop();
});

test('the shared NATS is the same for every caller', async () => {
  const [one, other] = await Promise.all([testNats(), testNats()]);
  expect(one).toBe(other);
});
