import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ACTIONS, type Backend } from './actions.ts';
import { DONE, refuse, type Answer } from './answer.ts';
import { answerChat } from './chat-page.ts';
import type { Config } from './config.ts';
import { createGuard, type Guard } from './guard.ts';
import type { SignIdentityToken } from './identity-token.ts';
import { readInput } from './input.ts';
import { createKnownUsers } from './known-users.ts';
import { openSession } from './session.ts';

// GET /demo, /demo/assets/… and /demo/worker.js: the chat
// POST /demo/…: what its page asks for, with the token of the page
// GET or POST /login {user, nonce, first_name?, …} -> {identity_token}
// GET or POST /session {user} -> {session_token, user_id}
export function createDemoServer(config: Config, sign: SignIdentityToken): Server {
  const guard = createGuard(config);
  const backend: Backend = { config, sign, users: createKnownUsers(['ada', 'grace']) };
  return createServer((request, response) => {
    answerRequest(guard, backend, { request, response }).catch(() => response.destroy());
  });
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

async function answerRequest(guard: Guard, backend: Backend, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  try {
    send(response, await answer(guard, backend, request));
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the platform did not answer';
    if (!response.headersSent) send(response, { status: 502, body: { message } });
  }
}

async function answer(guard: Guard, backend: Backend, request: IncomingMessage): Promise<Answer> {
  const { headers, method } = request;
  if (!guard.isAddressed(headers)) return refuse(421, 'ask 127.0.0.1 or localhost');
  const url = URL.parse(request.url ?? '/', 'http://demo');
  if (!url) return refuse(400, 'the address is malformed');
  const isRead = method === 'GET' || method === 'HEAD';
  const page = isRead ? await answerChat(backend.config, url.pathname, guard.token) : undefined;
  if (page) return page;
  if (!guard.isFromLaptop(headers)) return refuse(403, 'pages of other origins may not ask');
  if (url.pathname.startsWith('/demo/')) return act(guard, backend, { request, url });
  const login = method === 'OPTIONS' ? DONE : await logIn(backend, { request, url });
  return { ...login, headers: readableBy(headers.origin) };
}

type Asked = { request: IncomingMessage; url: URL };

async function act(guard: Guard, backend: Backend, { request, url }: Asked): Promise<Answer> {
  const action = Object.hasOwn(ACTIONS, url.pathname) ? ACTIONS[url.pathname] : undefined;
  if (!action) return refuse(404, `there are ${Object.keys(ACTIONS).join(', ')}`);
  if (request.method !== 'POST') return refuse(405, 'only POST is allowed');
  if (!guard.isFromChat(request.headers)) return refuse(403, 'only the page of the chat may ask');
  const input = await readInput(request);
  return input ? action(backend, input) : refuse(400, 'the body is not a JSON object');
}

async function logIn({ config, sign, users }: Backend, { request, url }: Asked): Promise<Answer> {
  const input = await readInput(request, url);
  if (!input) return refuse(400, 'the body is not JSON');
  const { user, nonce } = input;
  if (!user) return refuse(422, 'user is missing');
  if (url.pathname === '/session') {
    const body = await openSession(config, sign, user);
    users.add(user);
    return { status: 200, body };
  }
  if (url.pathname !== '/login') return refuse(404, 'there are /demo, /login and /session');
  if (!nonce) return refuse(422, 'nonce is missing');
  users.add(user);
  return { status: 200, body: { identity_token: await sign({ ...input, user, nonce }) } };
}

/** Lets a page of the platform read the answer. What is below /demo is for the chat's own page, which is of the same origin. */
function readableBy(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-headers': 'content-type',
  };
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.setHeader('x-content-type-options', 'nosniff');
  if (body === undefined) return void response.writeHead(status, headers).end();
  if (typeof body === 'string' || body instanceof Uint8Array)
    return void response.writeHead(status, headers).end(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(`${JSON.stringify(body)}\n`);
}
