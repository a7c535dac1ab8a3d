import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from './config.ts';
import type { Login, SignIdentityToken } from './identity-token.ts';
import { openSession } from './session.ts';

type Answer = { status: number; body: object };

// GET or POST /login {user, nonce, first_name?, …} -> {identity_token}
// GET or POST /session {user} -> {session_token, user_id}
export function createDemoServer(config: Config, sign: SignIdentityToken): Server {
  return createServer((request, response) => {
    answerRequest(config, sign, { request, response }).catch(() => response.destroy());
  });
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

async function answerRequest(
  config: Config,
  sign: SignIdentityToken,
  { request, response }: Exchange,
): Promise<void> {
  try {
    send(response, await answer(config, sign, request));
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the platform did not answer';
    send(response, { status: 502, body: { message } });
  }
}

async function answer(config: Config, sign: SignIdentityToken, request: IncomingMessage): Promise<Answer> {
  const url = URL.parse(request.url ?? '/', 'http://demo');
  if (!url) return refuse(400, 'the address is malformed');
  const input = await readInput(request, url);
  if (!input) return refuse(400, 'the body is not JSON');
  if (!input.user) return refuse(422, 'user is missing');
  if (url.pathname === '/session') return { status: 200, body: await openSession(config, sign, input.user) };
  if (url.pathname !== '/login') return refuse(404, 'there are /login and /session');
  const { nonce } = input;
  if (!nonce) return refuse(422, 'nonce is missing');
  return { status: 200, body: { identity_token: await sign({ ...input, user: input.user, nonce }) } };
}

// Reads the query or a JSON body, and ignores values that are not strings. A plus sign in the query stays, since a nonce may
// contain it.
async function readInput(request: IncomingMessage, url: URL): Promise<Partial<Login> | undefined> {
  const query = Object.fromEntries(new URLSearchParams(url.search.replaceAll('+', '%2B')));
  const body = await text(request);
  if (body === '') return query;
  const given = parseObject(body);
  if (!given) return undefined;
  const texts = Object.entries(given).filter(([, value]) => typeof value === 'string');
  return { ...query, ...Object.fromEntries(texts) };
}

function parseObject(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function refuse(status: number, message: string): Answer {
  return { status, body: { message } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*');
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
