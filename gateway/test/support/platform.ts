import { createSign } from 'node:crypto';
import type { Clock } from '@parley/kit/runtime/clock';
import { call, type Call, type Reply } from './call.ts';
import { ADMIN_TOKEN, startGateway, type TestGateway } from './gateway.ts';
import { startServiceProcess } from './service-process.ts';

export type Platform = {
  gateway: TestGateway;
  app: TestApp;
  identityAddress: string;
  messagingAddress: string;
  stop(): Promise<void>;
};
export type Caller = (method: string, path: string, options?: Call) => Promise<Reply>;
export type TestApp = {
  uuid: string;
  /** The server API, by a path below `/apps/<app_uuid>`. */
  server: Caller;
  /** Logs in by an identity token, and calls with the session. */
  login(userId: string): Promise<{ token: string; call: Caller }>;
};

/** `clock`, `natsUrl` and `env`: of the gateway alone. `announcements`: with their service, which an erasure needs. */
type Options = { clock?: Clock; natsUrl?: string; env?: Record<string, string>; announcements?: boolean };

/** The gateway in this process before real services, with an application in it. */
export async function startPlatform(options: Options = {}): Promise<Platform> {
  const { clock, natsUrl, env: own, announcements = false } = options;
  const identity = await startServiceProcess('identity', {
    PARLEY_NONCE_SECRET: 'the-nonce-secret-of-tests',
  });
  const env = { PARLEY_IDENTITY_ADDRESS: identity.address };
  const messaging = await startServiceProcess('messaging', env);
  const announcement = announcements ? await startServiceProcess('announcement', env) : undefined;
  const gateway = await startGateway({
    env: {
      ...env,
      PARLEY_MESSAGING_ADDRESS: messaging.address,
      ...(announcement && { PARLEY_ANNOUNCEMENT_ADDRESS: announcement.address }),
      ...(natsUrl && { PARLEY_NATS_URL: natsUrl }),
      ...own,
    },
    ...(clock && { clock }),
  });
  const app = await createApp(gateway.baseUrl);
  async function stop(): Promise<void> {
    await gateway.stop();
    await announcement?.stop();
    await messaging.stop();
    await identity.stop();
  }
  return {
    gateway,
    app,
    identityAddress: identity.address,
    messagingAddress: messaging.address,
    stop,
  };
}

export function adminCall(
  baseUrl: string,
  method: string,
  body: unknown,
  token = ADMIN_TOKEN,
): Promise<Reply> {
  const headers = { accept: undefined, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return call('POST', `${baseUrl}/admin/rpc/parley.identity.v1.AdminService/${method}`, { headers, body });
}

type Json = Record<string, never>;

async function createApp(baseUrl: string): Promise<TestApp> {
  const admin = async (method: string, body: unknown) => {
    let { status, json } = await adminCall(baseUrl, method, body);
    // A machine that runs many tests may stand still for longer than a call may take.
    for (let repeats = 0; repeats < 2 && status === 503; repeats++)
      ({ status, json } = await adminCall(baseUrl, method, body));
    if (status !== 200) throw new Error(`${method}: ${status} ${JSON.stringify(json)}`);
    return json as Record<string, Json>;
  };
  const { app } = await admin('CreateApp', { name: 'test', environment: 'staging' });
  const { provider } = await admin('CreateProvider', { app_uuid: app?.['app_uuid'], name: 'backend' });
  const { key, private_key: pem } = await admin('CreateKey', { provider_id: provider?.['id'] });
  const { token } = await admin('CreateAccessToken', { app_uuid: app?.['app_uuid'], name: 'server' });
  const uuid = String(app?.['app_uuid']);
  const caller =
    (root: string, authorization: string): Caller =>
    (method, path, { headers, ...options } = {}) =>
      call(method, path.startsWith('http') ? path : root + path, {
        headers: { authorization, ...headers },
        ...options,
      });
  return {
    uuid,
    server: caller(`${baseUrl}/apps/${uuid}`, `Bearer ${String(token)}`),
    async login(userId) {
      const { json } = await call('POST', `${baseUrl}/nonces`);
      const claims = { iss: provider?.['id'], prn: userId, nce: json['nonce'], display_name: userId };
      const identity_token = sign(String(pem), String(key?.['id']), claims);
      const session = await call('POST', `${baseUrl}/sessions`, {
        body: { identity_token, app_id: app?.['id'] },
      });
      const sessionToken = String(session.json['session_token']);
      return { token: sessionToken, call: caller(baseUrl, `Svc session-token="${sessionToken}"`) };
    },
  };
}

function sign(pem: string, kid: string, claims: object): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = { typ: 'JWT', alg: 'RS256', cty: 'svc-eit;v=1', kid };
  const input = `${encode(header)}.${encode({ ...claims, iat: now, exp: now + 60 })}`;
  return `${input}.${createSign('RSA-SHA256').update(input).sign(pem).toString('base64url')}`;
}
