import { configurationText, type EjabberdSettings } from './configuration.ts';

const SETTINGS: EjabberdSettings = {
  port: 20_000,
  postgres: { host: '127.0.0.1', port: 20_002, user: 'postgres', password: 'a"b: #c', database: 'ejabberd' },
  poolSize: 10,
  mostMembers: 1_000,
};

test('clients connect on loopback alone', () => {
  const { listen } = JSON.parse(configurationText(SETTINGS)) as { listen: unknown[] };
  expect(listen).toEqual([
    { port: 20_000, ip: '127.0.0.1', module: 'ejabberd_c2s', access: 'all', shaper: 'none' },
  ]);
});

test('messages of users and of rooms are archived in Postgres', () => {
  const written = JSON.parse(configurationText(SETTINGS)) as Record<string, unknown>;
  expect(written).toMatchObject({
    sql_type: 'pgsql',
    sql_port: 20_002,
    sql_password: 'a"b: #c',
    sql_pool_size: 10,
    modules: {
      mod_mam: { db_type: 'sql', default: 'always' },
      mod_muc: { max_users: 1_000, default_room_options: { mam: true, max_users: 1_000 } },
      mod_stream_mgmt: {},
    },
  });
});
