import { CONFERENCE, DOMAIN } from '../xmpp/stanzas.ts';

export type EjabberdSettings = {
  /** Port on loopback, for clients without TLS. */
  port: number;
  postgres: { host: string; port: number; user: string; password: string; database: string };
  /** Connections to Postgres. */
  poolSize: number;
  /** How many may be in one room. */
  mostMembers: number;
};

/**
 * A configuration with what the comparison needs and nothing besides: accounts, an archive of all messages in Postgres, rooms, and streams
 * that can be resumed. JSON, which is YAML.
 */
export function configurationText(settings: EjabberdSettings): string {
  return `${JSON.stringify(configuration(settings), undefined, 2)}\n`;
}

function configuration({ port, postgres, poolSize, mostMembers }: EjabberdSettings) {
  return {
    loglevel: 'warning',
    hosts: [DOMAIN],
    listen: [{ port, ip: '127.0.0.1', module: 'ejabberd_c2s', access: 'all', shaper: 'none' }],
    auth_method: ['sql'],
    auth_password_format: 'plain',
    default_db: 'sql',
    sql_type: 'pgsql',
    sql_server: postgres.host,
    sql_port: postgres.port,
    sql_database: postgres.database,
    sql_username: postgres.user,
    sql_password: postgres.password,
    sql_pool_size: poolSize,
    // Between two registrations from one address.
    registration_timeout: 'infinity',
    modules: {
      mod_mam: { db_type: 'sql', default: 'always' },
      mod_muc: rooms(mostMembers),
      mod_register: { access: 'all', ip_access: 'all' },
      mod_stream_mgmt: {},
    },
  };
}

/** Members do not get each other's presence: of a thousand that enter it would be a million stanzas. */
function rooms(mostMembers: number) {
  return {
    host: CONFERENCE,
    access: 'all',
    access_create: 'all',
    max_users: mostMembers,
    default_room_options: { mam: true, max_users: mostMembers, presence_broadcast: [] },
  };
}
