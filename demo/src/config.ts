import { readFileSync } from 'node:fs';

// The demo application's ids and key file, as the administration API issued them.
export type Config = {
  port: number;
  baseUrl: string;
  wireName: string;
  appId: string;
  providerId: string;
  keyId: string;
  privateKeyPem: string;
};

type DemoFile = { app_id: string; provider_id: string; key_id: string; private_key_file: string };

// PARLEY_HTTP_PORT, PARLEY_PUBLIC_URL (of the platform), PARLEY_DEMO_FILE (JSON), PARLEY_WIRE_NAME.
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { PARLEY_HTTP_PORT, PARLEY_PUBLIC_URL, PARLEY_DEMO_FILE, PARLEY_WIRE_NAME } = env;
  if (!PARLEY_HTTP_PORT || !PARLEY_PUBLIC_URL || !PARLEY_DEMO_FILE) {
    throw new Error('PARLEY_HTTP_PORT, PARLEY_PUBLIC_URL and PARLEY_DEMO_FILE are required');
  }
  const demo = JSON.parse(readFileSync(PARLEY_DEMO_FILE, 'utf8')) as DemoFile;
  return {
    port: Number(PARLEY_HTTP_PORT),
    baseUrl: PARLEY_PUBLIC_URL,
    wireName: PARLEY_WIRE_NAME || 'svc',
    appId: demo.app_id,
    providerId: demo.provider_id,
    keyId: demo.key_id,
    privateKeyPem: readFileSync(demo.private_key_file, 'utf8'),
  };
}
