import { createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { DemoApp } from './demo-app.ts';

export type CreatedDemoApp = Omit<DemoApp, 'private_key_file' | 'login_url'> & { privateKey: string };

export async function createDemoApp(baseUrl: string, adminToken: string): Promise<CreatedDemoApp> {
  const bearer: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${adminToken}`);
    return next(request);
  };
  const transport = createConnectTransport({
    baseUrl: `${baseUrl}/admin/rpc`,
    httpVersion: '1.1',
    useBinaryFormat: false,
    interceptors: [bearer],
  });
  const admin = createClient(AdminService, transport);
  const app = given('app', (await admin.createApp({ name: 'Demo', environment: 'development' })).app);
  const { provider } = await admin.createProvider({ appUuid: app.appUuid, name: 'Demo login' });
  const providerId = given('provider', provider).id;
  const { key, privateKey } = await admin.createKey({ providerId });
  const { token } = await admin.createAccessToken({ appUuid: app.appUuid, name: 'Demo backend' });
  return {
    app_id: app.id,
    app_uuid: app.appUuid,
    provider_id: providerId,
    key_id: given('key', key).id,
    access_token: token,
    privateKey: given('private key', privateKey),
  };
}

function given<T>(what: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the administration API answered without a ${what}`);
  return value;
}
