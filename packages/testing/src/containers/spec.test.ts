import { postgresCommand } from '@parley/stack/postgres/server';
import { SHARED_POSTGRES } from '../postgres.ts';
import { SPECS } from './spec.ts';

const OF_ITS_PLACE = ['port', 'listen_addresses', 'unix_socket_directories'];

/** The parameters among a server's arguments. */
function parametersOf(args: string[]): string[] {
  return args.filter((_, index) => args[index - 1] === '-c').sort();
}

test('Postgres in a container has every parameter of the embedded server that tests share', () => {
  const { args } = postgresCommand({ ...SHARED_POSTGRES, dataDir: '/tmp', password: 'test', port: 5432 });
  const isOfItsPlace = (parameter: string) => OF_ITS_PLACE.includes(parameter.split('=')[0] ?? '');
  const expected = parametersOf(args).filter((parameter) => !isOfItsPlace(parameter));
  expect(expected).toContain('max_connections=500');
  expect(expected).toContain('fsync=off');
  expect(parametersOf(SPECS.postgres().command)).toEqual(expected);
});
