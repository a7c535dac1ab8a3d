import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import type { RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';
import { createDocument, type Document } from '@parley/http/answers/document';

/** A site as `npm run generate -- site` makes it. */
export type Build = {
  /** Serves its files; leaves other requests to the next handler. */
  files: RequestHandler;
  /** The page about errors. */
  errors: Document;
  /** HTML of the page for unknown addresses. */
  notFound: string;
  /** Sources of its scripts, for a Content-Security-Policy. */
  scripts: readonly string[];
};

const ASSETS = `${path.sep}assets${path.sep}`;

/** Reads what is needed of each request. Fails if the folder has no site. */
export async function openBuild(folder: string): Promise<Build> {
  const read = (name: string) => readFile(path.join(folder, name), 'utf8');
  const [errors, notFound, scripts] = await Promise.all([
    read(path.join('errors', 'index.html')),
    read('404.html'),
    read('scripts.json'),
  ]);
  return {
    files: serveFiles(folder),
    errors: createDocument(errors, 'text/html; charset=utf-8'),
    notFound,
    scripts: JSON.parse(scripts) as string[],
  };
}

/** Files come compressed to clients that take it, from the copies that the build has made. */
function serveFiles(folder: string): RequestHandler {
  return expressStaticGzip(folder, {
    index: 'index.html',
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    serveStatic: { dotfiles: 'ignore', cacheControl: false, setHeaders: setCaching },
  });
}

/** The name of an asset changes with its content; everything else is checked for changes each time. */
function setCaching(res: ServerResponse, file: string): void {
  res.setHeader('cache-control', file.includes(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache');
}
