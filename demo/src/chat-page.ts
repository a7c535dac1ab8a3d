import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DONE, refuse, refuseMethod, type Answer } from './answer.ts';
import type { Config } from './config.ts';

const ASSET = /^\/demo\/assets\/([\w-]+\.(?:js|css|svg))$/;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Nothing from elsewhere; the platform is asked at ports of this machine. No other page may show it in a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: http://127.0.0.1:*",
  'media-src blob: http://127.0.0.1:*',
  'connect-src http://127.0.0.1:* ws://127.0.0.1:* http://localhost:*',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1">
<title>Parley</title><p>The chat is being built, which takes a few seconds.</p></html>`;

/** At the same address in each build, so that browsers find the present one. */
const WORKER = '/demo/worker.js';

type Asked = { request: IncomingMessage; /** Without a slash at its end. */ path: string };

/** The page, or a file of it; undefined for another path. */
export async function answerChat(
  config: Config,
  { request, path: asked }: Asked,
  token: string,
): Promise<Answer | undefined> {
  const name = asked === WORKER ? 'worker.js' : ASSET.exec(asked)?.[1];
  if (name === undefined && asked !== '/demo') return undefined;
  if (request.method === 'OPTIONS') return { ...DONE, headers: { allow: 'GET, HEAD' } };
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod('GET, HEAD');
  if (name === undefined) return answerPage(config, token);
  // The name of an asset holds a hash of it.
  const caching = asked === WORKER ? 'no-cache' : 'public, max-age=31536000, immutable';
  return answerFile(path.join(config.chatFolder, `${name}.gz`), request, {
    'content-type': `${TYPES[path.extname(name)]}; charset=utf-8`,
    'cache-control': caching,
    vary: 'accept-encoding',
  });
}

/** The file is kept compressed, as every browser takes it. */
async function answerFile(
  file: string,
  { headers: asked }: IncomingMessage,
  headers: Record<string, string>,
): Promise<Answer> {
  const packed = await readFile(file).catch(() => undefined);
  if (!packed) return refuse(404, 'there is no such file');
  const takesGzip = /\b(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(
    String(asked['accept-encoding'] ?? ''),
  );
  if (!takesGzip) return { status: 200, body: gunzipSync(packed), headers };
  return { status: 200, body: packed, headers: { ...headers, 'content-encoding': 'gzip' } };
}

async function answerPage({ chatFolder, baseUrl, appId }: Config, token: string): Promise<Answer> {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
  };
  const page = await readFile(path.join(chatFolder, 'index.html'), 'utf8').catch(() => undefined);
  if (page === undefined) return { status: 503, body: NOT_BUILT, headers };
  const data = JSON.stringify({ url: baseUrl, appId, token }).replaceAll('<', '\\u003c');
  return { status: 200, body: page.replace('{}', () => data), headers };
}
