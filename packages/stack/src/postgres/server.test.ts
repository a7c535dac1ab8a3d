import { nearPostgresUrl } from './server.ts';

const settings = (dataDir: string) => ({ dataDir, password: 'secret', port: 5432, durable: false });

test('processes of the machine use the socket that Postgres has in its data folder', () => {
  const url = new URL(nearPostgresUrl(settings('/data/postgres'), 'parley'));
  expect(url.searchParams.get('host')).toBe('/data/postgres');
  expect(url.pathname).toBe('/parley');
});

test('a folder whose path is too long for a socket leaves TCP alone', () => {
  const url = new URL(nearPostgresUrl(settings(`/${'data/'.repeat(20)}postgres`), 'parley'));
  expect(url.search).toBe('');
  expect(url.host).toBe('127.0.0.1:5432');
});
