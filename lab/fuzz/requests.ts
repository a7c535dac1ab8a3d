import { createSign, KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { request as send, Agent, type Dispatcher } from 'undici';
import { answerText, normalize } from './answers.ts';
import type { Case } from './cases.ts';
import type { Noted } from './run.ts';
import type { World } from './world.ts';

export type Http = Extract<Case, { kind: 'http' }>;

/** A time longer than any request may take. */
const ANSWER_WITHIN_MS = 20_000;
const BYTES_WITHIN_MS = 2_000;
const KEEP_ALIVE_MS = 1_000;

// Idle connections end here long before they end at the server, where a request may be on its way to one that has just ended.
export const agent = new Agent({
  ...{ connections: 64, pipelining: 1, headersTimeout: ANSWER_WITHIN_MS },
  ...{ keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: KEEP_ALIVE_MS },
});

/** Finds a fault of the answer to a request; undefined: there is none. */
export async function findFault(
  { note, hear }: Pick<Noted, 'note' | 'hear'>,
  { method, url, headers, body }: Http,
): Promise<string | undefined> {
  const { origin } = new URL(url);
  const target = url.slice(origin.length).replace(/[^\x21-\xff]/g, encodeURIComponent);
  try {
    const answer = await ask(origin, { method, path: target, headers: sendable(headers), body });
    const { status, text } = answer;
    note(String(status));
    hear?.(answerText(status, answer.headers, text));
    if (status < 500 || (status === 503 && text.includes('"service_unavailable"'))) return undefined;
    return `answered ${status} ${text.slice(0, 500)}`;
  } catch (error) {
    return `no answer: ${String(error)} ${String((error as Error).cause ?? '')}`;
  }
}

type Asked = { method: string; path: string; headers: Record<string, string>; body: string | undefined };

async function ask(
  origin: string,
  { method, path, headers, body }: Asked,
): Promise<{ status: number; headers: Dispatcher.ResponseData['headers']; text: string }> {
  const response = await send(new URL(origin), {
    ...{ path, headers, method: method as Dispatcher.HttpMethod, dispatcher: agent },
    ...(body !== undefined && { body }),
  } as Parameters<typeof send>[1]);
  const { statusCode: status, headers: told } = response;
  return { status, headers: told, text: await response.body.text() };
}

/** Header values are bytes: what is none is left out. The library sends no `host` that begins like an address of IPv6 and does not end like one. */
function sendable(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value.replace(/[^\t\x20-\x7e\x80-\xff]/g, ''),
  ]);
  return Object.fromEntries(
    entries.filter(([name, value]) => name !== 'host' || !value.startsWith('[') || value.includes(']')),
  );
}

/** Ends the connection after the bytes; what comes back does not matter, but a server error does. */
export async function findFaultOfBytes(
  { platform, hear }: Noted,
  bytes: string,
): Promise<string | undefined> {
  const { hostname, port } = new URL(platform.baseUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
  socket.end(Buffer.from(bytes));
  await Promise.race([
    once(socket, 'close').catch(() => undefined),
    delay(BYTES_WITHIN_MS, undefined, { ref: false }),
  ]);
  socket.destroy();
  const answer = Buffer.concat(chunks).toString('latin1');
  hear?.(normalize(answer.replace(/^(?:Date|X-Request-Id|ETag): .*\r\n/gim, '')));
  return /^HTTP\/1\.1 5(?!03)/m.test(answer) ? `answered ${answer.slice(0, 500)}` : undefined;
}

/** A login whose identity token is signed correctly, with generated claims. */
export function loginRequest(
  { platform, app }: World,
  { header, claims }: { header: string; claims: string },
): Http {
  const signed = [header, claims].map((text) => Buffer.from(text).toString('base64url')).join('.');
  const signature = createSign('RSA-SHA256')
    .update(signed)
    .sign(KeyObject.from(app.privateKey))
    .toString('base64url');
  const body = JSON.stringify({ identity_token: `${signed}.${signature}`, app_id: app.appId });
  const headers = {
    accept: 'application/vnd.svc+json; version=3.0',
    'idempotency-key': String(signed.length),
  };
  return { kind: 'http', method: 'POST', url: `${platform.baseUrl}/sessions`, headers, body };
}
