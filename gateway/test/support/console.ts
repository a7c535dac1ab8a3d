import { createClient } from '@connectrpc/connect';
import { createRpcChannel } from '@parley/kit/rpc/client';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import { ask, type Answer } from './ask.ts';
import { RPC_SECRET } from './gateway.ts';
import type { Platform } from './platform.ts';

export type Role = { role: string; appId?: string };
export type Person = {
  cookie: string;
  /** A call of the administration API with the cookie. */
  admin(service: string, method: string, body: unknown): Promise<Answer>;
  /** A POST to the console's own endpoints. */
  post(path: string, body: unknown): Promise<Answer>;
};

/** Opens a console session as an identity provider would have it, and gives the person's calls. */
export async function signInAs(platform: Platform, roles: Role[], subject = 'grace'): Promise<Person> {
  const channel = createRpcChannel({
    address: platform.identityAddress,
    secret: RPC_SECRET,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
  const person = { issuer: 'https://id.example.com', subject, name: 'Grace' };
  const { token } = await createClient(ConsoleService, channel.transport).openConsoleSession({
    person,
    roles,
  });
  channel.close();
  const { baseUrl, ports } = platform.gateway;
  const cookie = `parley_console_${ports.http}=${token}`;
  const headers = { origin: baseUrl, cookie, 'content-type': 'application/json' };
  const post = (path: string, body: unknown) =>
    ask('POST', baseUrl + path, { headers, body: JSON.stringify(body) });
  return { cookie, post, admin: (service, method, body) => post(`/admin/rpc/${service}/${method}`, body) };
}
