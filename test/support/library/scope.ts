import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';

/** A registry for the scope of our packages, which has none and notes what it is asked for. */
export type ScopeRegistry = {
  requests: string[];
  url: string;
  /** The environment of an installer that asks it for packages of the scope. */
  env: Record<string, string>;
  close(): void;
};

/** `folder`: for the settings and the cache of the installers. All other packages come from where they always do. */
export async function startScopeRegistry(folder: string): Promise<ScopeRegistry> {
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(decodeURIComponent(url));
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim();
  const settings = path.join(folder, 'npmrc');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  writeFileSync(settings, `${existsSync(own) ? readFileSync(own, 'utf8') : ''}\n@parley:registry=${url}\n`);
  return {
    requests,
    url,
    env: { npm_config_userconfig: settings, npm_config_cache: path.join(folder, 'npm-cache') },
    close: () => server.close(),
  };
}
