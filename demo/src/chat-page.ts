import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { refuse, type Answer } from './answer.ts';
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
  'connect-src http://127.0.0.1:* ws://127.0.0.1:* http://localhost:*',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1">
<title>Parley</title><p>The chat is being built, which takes a few seconds.</p></html>`;

/** At the same address in each build, so that browsers find the present one. */
const WORKER = '/demo/worker.js';

/** The page, or a file of it; undefined for another path. */
export async function answerChat(
  config: Config,
  pathname: string,
  token: string,
): Promise<Answer | undefined> {
  if (pathname === '/demo' || pathname === '/demo/') return answerPage(config, token);
  if (pathname === WORKER) return answerFile(config, 'worker.js', 'no-cache');
  const [, name] = ASSET.exec(pathname) ?? [];
  // Its name holds a hash of it.
  return name ? answerFile(config, name, 'public, max-age=31536000, immutable') : undefined;
}

async function answerFile({ chatFolder }: Config, name: string, cacheControl: string): Promise<Answer> {
  try {
    const body = await readFile(path.join(chatFolder, `${name}.gz`));
    return {
      status: 200,
      body,
      headers: {
        'content-type': `${TYPES[path.extname(name)]}; charset=utf-8`,
        'content-encoding': 'gzip',
        'cache-control': cacheControl,
      },
    };
  } catch {
    return refuse(404, 'there is no such file');
  }
}

async function answerPage({ chatFolder, baseUrl, appId }: Config, token: string): Promise<Answer> {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
  };
  const page = await readFile(path.join(chatFolder, 'index.html'), 'utf8').catch(() => undefined);
  if (page === undefined) return { status: 503, body: NOT_BUILT, headers };
  const data = JSON.stringify({ url: baseUrl, appId, token }).replaceAll('<', '\\u003c');
  return { status: 200, body: page.replace('{}', () => data), headers };
}
