import { createAdminClient } from './admin-client.ts';
import type { DemoApp } from './demo-app.ts';

export type CreatedDemoApp = Omit<DemoApp, 'private_key_file' | 'login_url'> & { privateKey: string };

export async function createDemoApp(baseUrl: string, adminToken: string): Promise<CreatedDemoApp> {
  const admin = createAdminClient(baseUrl, adminToken);
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
