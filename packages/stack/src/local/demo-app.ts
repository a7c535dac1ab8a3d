import { writeFileSync } from 'node:fs';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { DataFolder } from './folder.ts';
import type { PlatformState } from './state.ts';

/** The demo application, created by the administration API; ids are URIs, except app_uuid. */
export type DemoApp = {
  app_id: string;
  app_uuid: string;
  provider_id: string;
  key_id: string;
  private_key_file: string;
  access_token: string;
  /** Address of its own login backend: the same from start to start, unless another program took the port meanwhile. */
  login_url: string;
};

type StoredDemoApp = Omit<DemoApp, 'login_url'> & Partial<Pick<DemoApp, 'login_url'>>;

/** Creates the application once, through the public administration API; a later start finds it again. */
export async function obtainDemoApp(
  folder: DataFolder,
  baseUrl: string,
  adminToken: string,
): Promise<StoredDemoApp> {
  const known = readJsonFile<StoredDemoApp>(folder.demo);
  if (known) return known;
  // Loaded only here, since only a first start needs it.
  const { createDemoApp } = await import('./create-demo-app.ts');
  const { privateKey, ...made } = await createDemoApp(baseUrl, adminToken);
  writeFileSync(folder.demoKey, privateKey, { mode: 0o600 });
  const demo = { ...made, private_key_file: folder.demoKey };
  writeJsonFile(folder.demo, demo);
  return demo;
}

/** The port that the login backend had at the last start. */
export function lastLoginPort(folder: DataFolder): number | undefined {
  const address = readJsonFile<StoredDemoApp>(folder.demo)?.login_url;
  return address === undefined ? undefined : Number(new URL(address).port);
}

/** Stores the address of the backend that runs now, which the next start finds. */
export function rememberLogin(
  folder: DataFolder,
  demo: StoredDemoApp,
  processes: PlatformState['processes'],
): DemoApp {
  const backend = processes.find(({ name }) => name === 'demo');
  if (!backend) throw new Error('the login backend of the demo application does not run');
  const known = { ...demo, login_url: `http://127.0.0.1:${backend.http_port}` };
  if (known.login_url !== demo.login_url) writeJsonFile(folder.demo, known);
  return known;
}

/** A session token. Users exist from their first login on. */
export async function logIn(backend: string, user: string): Promise<string> {
  const response = await fetch(`${backend}/session?user=${encodeURIComponent(user)}`);
  if (!response.ok) throw new Error(`the demo user ${user} cannot log in: ${await response.text()}`);
  return ((await response.json()) as { session_token: string }).session_token;
}
