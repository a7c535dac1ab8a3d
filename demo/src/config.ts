import { readFileSync } from 'node:fs';

// The demo application's ids and keys, as the administration API issued them, and the files that it reads and serves.
export type Config = {
  port: number;
  baseUrl: string;
  wireName: string;
  appId: string;
  /** Root of the server API for this application. */
  appUrl: string;
  accessToken: string;
  providerId: string;
  keyId: string;
  privateKeyPem: string;
  /** The built chat: `demo/chat/dist`. */
  chatFolder: string;
  /** Names the processes of the local platform with their pids. */
  stateFile: string;
};

type DemoFile = {
  app_id: string;
  app_uuid: string;
  access_token: string;
  provider_id: string;
  key_id: string;
  private_key_file: string;
};

const REQUIRED = [
  'PARLEY_HTTP_PORT',
  'PARLEY_PUBLIC_URL',
  'PARLEY_DEMO_FILE',
  'PARLEY_CHAT_FOLDER',
  'PARLEY_STATE_FILE',
] as const;

// PARLEY_HTTP_PORT, PARLEY_PUBLIC_URL (of the platform), PARLEY_DEMO_FILE (JSON), PARLEY_CHAT_FOLDER, PARLEY_STATE_FILE (JSON),
// PARLEY_WIRE_NAME.
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const [port, baseUrl, demoFile, chatFolder, stateFile] = REQUIRED.map((name) => env[name] ?? '');
  if (!port || !baseUrl || !demoFile || !chatFolder || !stateFile) {
    throw new Error(`${REQUIRED.join(', ')} are required`);
  }
  const demo = JSON.parse(readFileSync(demoFile, 'utf8')) as DemoFile;
  return {
    port: Number(port),
    baseUrl,
    wireName: env['PARLEY_WIRE_NAME'] || 'svc',
    appId: demo.app_id,
    // eslint-disable-next-line no-restricted-syntax -- The platform made the uuid.
    appUrl: `${baseUrl}/apps/${demo.app_uuid}`,
    accessToken: demo.access_token,
    providerId: demo.provider_id,
    keyId: demo.key_id,
    privateKeyPem: readFileSync(demo.private_key_file, 'utf8'),
    chatFolder,
    stateFile,
  };
}
