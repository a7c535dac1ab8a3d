import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import type { RequestHandler, Response } from 'express';
import expressStaticGzip from 'express-static-gzip';
import type { ConsoleConfig } from '../settings.ts';
import { answerWaiting } from '../http/waiting-page.ts';
import { consolePolicy } from './policy.ts';

/** The mark that index.html has in the place of the nonce of its answer. */
const NONCE_MARK = '__CSP_NONCE__';
const NONCE_BYTES = 18;
const WAITING = {
  title: 'Console',
  heading: 'The console is being built',
  text: 'This page loads again by itself. If it stays, <code>.parley/local/logs/console.log</code> says why.',
};

/** Headers of every answer below /console. */
export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/**
 * Serves the built console: its files, and index.html for every other address, which the page itself takes apart. Leaves requests
 * that are not for a page to the next handler. The folder may be built while the process runs.
 */
export function servePages(config: ConsoleConfig): RequestHandler {
  const { consoleFolder: folder } = config;
  if (folder === undefined) return (_req, _res, next) => next();
  const files = expressStaticGzip(folder, {
    index: false,
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    serveStatic: { dotfiles: 'ignore', cacheControl: false, redirect: false, setHeaders: setCaching },
  });
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const isPage = req.path === '/' || req.path === '/index.html';
    const answerPage = (error?: unknown) => {
      if (error !== undefined || req.path.startsWith('/assets/') || !req.accepts('html')) return next(error);
      res.removeHeader('content-encoding');
      sendPage(config, folder, res).catch(next);
    };
    if (isPage) return answerPage();
    files(req, res, answerPage);
  };
}

/** The name of an asset changes with its content; everything else is checked for changes each time. */
function setCaching(res: ServerResponse, file: string): void {
  const isAsset = file.includes(`${path.sep}assets${path.sep}`);
  res.setHeader('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
}

async function sendPage(config: ConsoleConfig, folder: string, res: Response): Promise<void> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined);
  if (page === undefined) return answerWaiting(res, WAITING);
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  res.type('html').set('content-security-policy', consolePolicy({ ...config, nonce }));
  res.send(page.replaceAll(NONCE_MARK, nonce));
}
