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
    answer(config, sign, request).then(
      (result) => send(response, result),
      (error: unknown) => send(response, { status: 502, body: { message: String(error) } }),
    );
  });
}

async function answer(config: Config, sign: SignIdentityToken, request: IncomingMessage): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://demo');
  const input = await readInput(request, url);
  if (!input) return refuse(400, 'the body is not JSON');
  if (!input.user) return refuse(422, 'user is missing');
  if (url.pathname === '/session') return { status: 200, body: await openSession(config, sign, input.user) };
  if (url.pathname !== '/login') return refuse(404, 'there are /login and /session');
  const { nonce } = input;
  if (!nonce) return refuse(422, 'nonce is missing');
  return { status: 200, body: { identity_token: await sign({ ...input, user: input.user, nonce }) } };
}

// From the query or from a JSON body. The query's plus sign stays: a nonce must not be decoded.
async function readInput(request: IncomingMessage, url: URL): Promise<Partial<Login> | undefined> {
  const query = Object.fromEntries(new URLSearchParams(url.search.replaceAll('+', '%2B')));
  const body = await text(request);
  if (body === '') return query;
  try {
    return { ...query, ...(JSON.parse(body) as Partial<Login>) };
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
