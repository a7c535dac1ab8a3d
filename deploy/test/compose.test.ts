import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { usersConfiguration } from '../nats/users.ts';
import { DEPLOY_FOLDER, REPOSITORY } from './render.ts';

type Service = { command?: string[]; environment?: Record<string, string>; ports?: string[] };

const text = readFileSync(path.join(DEPLOY_FOLDER, 'compose.yaml'), 'utf8');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const processes = Object.entries(services).filter(([, { command }]) =>
  command?.[0]?.endsWith('/dist/main.js'),
);

test('all seven processes are there', () => {
  const names = ['announcement', 'content', 'export', 'gateway', 'identity', 'messaging', 'push', 'webhook'];
  const lasting = processes.filter(([, { command }]) => command?.length === 1);
  expect(lasting.map(([name]) => name).sort()).toEqual(names);
});

test('NATS knows the password that each process has', () => {
  const known = services['nats']?.environment ?? {};
  for (const [name, { environment = {} }] of processes)
    expect(known[`NATS_PASSWORD_${name.toUpperCase()}`]).toBe(environment['PARLEY_NATS_PASSWORD']);
  const needed = [...usersConfiguration().matchAll(/password: \$(\w+)/g)].map(([, variable]) => variable);
  expect(Object.keys(known)).toEqual(expect.arrayContaining(needed));
});

test('nothing stands before the gateway and the content service: no proxy is trusted', () => {
  for (const name of ['gateway', 'content'])
    expect(services[name]?.environment?.['PARLEY_TRUSTED_PROXIES']).toBe('0');
});

test.each(processes)('%s gets every variable that it needs', async (_name, { command, environment }) => {
  const folder = command![0]!.replace('/dist/main.js', '');
  const file = path.join(REPOSITORY, folder, 'src', 'config.ts');
  if (!existsSync(file)) throw new Error(`${folder} is not in this checkout`);
  const { readConfig } = (await import(file)) as { readConfig(env: Record<string, string>): object };
  expect(() => readConfig(environment ?? {})).not.toThrow();
});

describe('the overlay with cells on Citus', () => {
  const overlay = parse(readFileSync(path.join(DEPLOY_FOLDER, 'compose.cells.yaml'), 'utf8'), {
    merge: true,
  }) as { services: Record<string, Service & { image?: string }> };

  test('names the image of all servers by its digest, which has to be given', () => {
    const servers = Object.entries(overlay.services).filter(([name]) => name.startsWith('cells-'));
    expect(servers.map(([name]) => name)).toEqual([
      'cells-coordinator',
      'cells-node-1',
      'cells-node-2',
      'cells-cluster',
    ]);
    for (const [, { image }] of servers) expect(image).toMatch(/^\$\{PARLEY_CITUS_IMAGE:\?.*@sha256:…\}$/);
  });

  test('has the same cells in identity, messaging and its migration, whose environments stay complete', async () => {
    for (const name of ['identity', 'messaging', 'migration']) {
      const environment = { ...services[name]?.environment, ...overlay.services[name]?.environment };
      expect(environment['PARLEY_CELLS']).toBe('citus:4');
      const folder = services[name]!.command![0]!.replace('/dist/main.js', '');
      const file = path.join(REPOSITORY, folder, 'src', 'config.ts');
      const { readConfig } = (await import(file)) as { readConfig(env: Record<string, string>): object };
      expect(() => readConfig(environment)).not.toThrow();
    }
  });
});
