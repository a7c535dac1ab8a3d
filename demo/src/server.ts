import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasCodedBody } from '@parley/kit/http/content-coding';
import { createListener, type Listener } from '@parley/kit/http/listener';
import { withoutSlash, type Target } from '@parley/kit/http/target';
import { ACTIONS, type Backend } from './actions.ts';
import { DONE, refuse, refuseMethod, type Answer } from './answer.ts';
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
export function createDemoServer(config: Config, sign: SignIdentityToken): Listener {
  const guard = createGuard(config);
  const backend: Backend = { config, sign, users: createKnownUsers(['ada', 'grace']) };
  return createListener({
    name: 'demonstration',
    answer: ({ req, res, target }) => answerRequest(guard, backend, { request: req, response: res, target }),
    failed: () => undefined,
    faultAnswer: ({ kind, message }) => ({
      status: kind === 'timed_out' ? 408 : 400,
      headers: { 'content-type': 'application/json' },
      body: `${JSON.stringify({ message })}\n`,
    }),
  });
}

const LOGINS = ['/login', '/session'];
const LOGIN_METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

type Exchange = { request: IncomingMessage; response: ServerResponse; target: Target };

async function answerRequest(guard: Guard, backend: Backend, exchange: Exchange): Promise<void> {
  const { response } = exchange;
  try {
    send(response, await answer(guard, backend, exchange));
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the platform did not answer';
    if (!response.headersSent) send(response, { status: 502, body: { message } });
  }
}

async function answer(guard: Guard, backend: Backend, { request, target }: Exchange): Promise<Answer> {
  const { headers, method } = request;
  if (!guard.isAddressed(headers)) return refuse(421, 'ask 127.0.0.1 or localhost');
  const asked = { request, path: withoutSlash(target.path), query: target.query };
  const page = await answerChat(backend.config, asked, guard.token);
  if (page) return page;
  if (!guard.isFromLaptop(headers)) return refuse(403, 'pages of other origins may not ask');
  if (hasCodedBody(headers)) return refuse(415, 'the body must be sent as it is');
  if (asked.path.startsWith('/demo/')) return act(guard, backend, asked);
  if (!LOGINS.includes(asked.path)) return refuse(404, 'there are /demo, /login and /session');
  if (!LOGIN_METHODS.includes(method ?? '')) return refuseMethod(LOGIN_METHODS.join(', '));
  const login = method === 'OPTIONS' ? DONE : await logIn(backend, asked);
  return { ...login, headers: readableBy(headers.origin) };
}

/** A request; its path has no slash at its end. */
type Asked = { request: IncomingMessage; path: string; query: string };

async function act(guard: Guard, backend: Backend, { request, path }: Asked): Promise<Answer> {
  const action = Object.hasOwn(ACTIONS, path) ? ACTIONS[path] : undefined;
  if (!action) return refuse(404, `there are ${Object.keys(ACTIONS).join(', ')}`);
  if (request.method !== 'POST') return refuseMethod('POST');
  if (!guard.isFromChat(request.headers)) return refuse(403, 'only the page of the chat may ask');
  const input = await readInput(request);
  return input ? action(backend, input) : refuse(400, 'the body is not a JSON object');
}

async function logIn({ config, sign, users }: Backend, { request, path, query }: Asked): Promise<Answer> {
  const input = await readInput(request, query);
  if (!input) return refuse(400, 'the body is not JSON');
  const { user, nonce } = input;
  if (!user) return refuse(422, 'user is missing');
  if (path === '/session') {
    const body = await openSession(config, sign, user);
    users.add(user);
    return { status: 200, body };
  }
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
  if (body === undefined) return void response.writeHead(status, headers).end();
  if (typeof body === 'string' || body instanceof Uint8Array)
    return void response.writeHead(status, headers).end(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(`${JSON.stringify(body)}\n`);
}
