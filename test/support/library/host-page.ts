import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { TestApp } from '../app.ts';

/** Answer of a token endpoint: the status, and the body as JSON. */
type TokenAnswer = { readonly status: number; readonly body: unknown };

/** A server of an application, whose page has a chat by two lines under a strict policy. */
export type HostPage = {
  readonly url: string;
  /** Id of the user who is logged in at the application. */
  user: string;
  /** Answer of the token endpoint, in place of a token of the user. */
  tokenAnswer: TokenAnswer | undefined;
  /** How often the token endpoint was asked. */
  tokensAsked: number;
  /** Opens the page, with other attributes of the element than the right ones; null leaves one out. */
  open(on: Browser | BrowserContext, attributes?: Record<string, string | null>): Promise<Opened>;
  close(): void;
};

/** The page, what its scripts and console complained of, and what the policy refused. */
export type Opened = { readonly page: Page; readonly complaints: string[] };

/** The platform serves files at an address of their own. */
const CONTENTS = 'http://127.0.0.1:*';
/** At `/tokens` there is no token endpoint. */
const TOKEN_ENDPOINTS = ['/identity-token', '/tokens/'];
const COOKIE = 'session=of-the-application';

/** The platform's own address alone; neither inline scripts nor inline styles. */
function policyOf(platform: string, others: readonly string[]): string {
  const sources = [platform, platform.replace(/^http/, 'ws'), ...others].join(' ');
  const lines = {
    ...{ 'default-src': "'none'", 'script-src': platform, 'style-src': "'none'", 'base-uri': "'none'" },
    ...{ 'connect-src': `'self' ${sources} ${CONTENTS}`, 'img-src': CONTENTS, 'media-src': CONTENTS },
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

export async function startHostPage(app: TestApp, user: string): Promise<HostPage> {
  const host: HostPage = {
    ...{ url: '', user, tokenAnswer: undefined, tokensAsked: 0, open },
    close: () => server.close(),
  };
  let page = '';
  let policy = '';
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (TOKEN_ENDPOINTS.includes(req.url ?? '')) return answerToken(req, res);
    res.setHeader('content-type', 'text/html; charset=utf-8');
    res.setHeader('content-security-policy', policy);
    res.setHeader('set-cookie', `${COOKIE}; HttpOnly; SameSite=Strict`);
    res.end(page);
  }
  async function answerToken(req: IncomingMessage, res: ServerResponse): Promise<void> {
    host.tokensAsked++;
    const { nonce } = (await json(req)) as { nonce: string };
    const isAsked = req.method === 'POST' && req.headers.cookie === COOKIE;
    const refused = isAsked ? host.tokenAnswer : { status: 401, body: {} };
    res.writeHead(refused?.status ?? 200, { 'content-type': 'application/json' });
    const claims = { display_name: host.user };
    const made = refused?.body ?? {
      identity_token: await app.identityToken(host.user, { nonce, claims }),
    };
    res.end(JSON.stringify(made));
  }
  async function open(on: Browser | BrowserContext, changed: Record<string, string | null> = {}) {
    const attributes = Object.entries({
      ...{ platform: app.baseUrl, application: app.appId, 'token-endpoint': '/identity-token' },
      ...changed,
    });
    const others = [changed['platform'], changed['token-endpoint']].filter(
      (one) => one != null && URL.canParse(one),
    );
    policy = policyOf(
      app.baseUrl,
      others.map((one) => new URL(one ?? '').origin),
    );
    page = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Host</title>
      <script type="module" src="${app.baseUrl}/library/embed.js" crossorigin></script>
      <main><h1>An application</h1><parley-chat ${attributes
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}="${value}"`)
        .join(' ')}></parley-chat></main></html>`;
    const opened = await on.newPage();
    const complaints: string[] = [];
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await opened.goto(host.url);
    return { page: opened, complaints };
  }
  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(host, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
}
