import { randomUUID } from 'node:crypto';
import { createSignInCode } from './sign-in-code.ts';
import { logIn, type DemoApp } from './demo-app.ts';
import { isSiteBuilt } from './site.ts';
import type { PlatformState } from './state.ts';

export type Announcement = { state: PlatformState; wireName: string; logs: string; stateFile: string };

/** The path of the console's page that takes a sign-in code; after `#`, so that no server sees it before it is sent. */
const SIGN_IN = '/console/sign-in#code=';

/** The text that `npm start` prints when the platform is ready. */
export async function announce({ state, wireName, logs, stateFile }: Announcement): Promise<string> {
  const { demo } = state;
  const lines = [
    `Parley is up: ${state.base_url}`,
    `Console: ${state.base_url}${SIGN_IN}${await createSignInCode(state.base_url, state.admin_token)} (once, within 10 minutes)`,
    ...(demo ? [`Chat of Ada and Grace: ${demo.login_url}/demo`] : []),
    `Documentation: ${state.base_url}/docs${isSiteBuilt() ? '' : ' (in a minute: it is being built)'}`,
    `Logs: ${logs}`,
    `State: ${stateFile}`,
  ];
  if (demo) {
    const { app_id: app, provider_id: provider, key_id: key } = demo;
    lines.push(
      '',
      'The demo application:',
      `  app       ${app}`,
      `  provider  ${provider}`,
      `  key       ${key}`,
    );
    const token = await logIn(demo.login_url, 'ada');
    lines.push(
      '',
      'Log in; create a conversation as Ada, who is logged in already; send a message:',
      '',
      ...curlLines({ baseUrl: state.base_url, demo, wireName, token }),
    );
  }
  return ['', ...lines, '', 'Stop with Ctrl-C.', ''].join('\n');
}

type Login = { baseUrl: string; demo: DemoApp; wireName: string; token: string };

// Each command works by itself: they contain a session token and the id of the conversation that the first one creates.
function curlLines({ baseUrl, demo, wireName, token }: Login): string[] {
  const scheme = wireName.charAt(0).toUpperCase() + wireName.slice(1);
  const headers = [
    `Accept: application/vnd.${wireName}+json; version=3.0`,
    'Content-Type: application/json',
    `Authorization: ${scheme} session-token="${token}"`,
  ];
  const id = randomUUID();
  const post = (path: string, body: object) => [
    'curl',
    ...headers.map((header) => `-H '${header}'`),
    `-d '${JSON.stringify(body)}'`,
    baseUrl + path,
  ];
  const message = { parts: [{ mime_type: 'text/plain', body: 'Hello, Grace!' }] };
  return [
    `curl '${demo.login_url}/session?user=ada'`,
    post('/conversations', { id, participants: ['ada', 'grace'] }).join(' '),
    post(`/conversations/${id}/messages`, message).join(' '),
  ];
}
