import type { IncomingMessage } from 'node:http';
import type { ApiContext } from '../context.ts';
import { constantError } from '@parley/http/errors/error-form';
import { errorAnswer, methodNotAllowed } from '../http/errors.ts';
import type { Exchange } from '@parley/http/exchange/exchange';
import { respondWithDocument } from '@parley/http/answers/document';
import { followBuild } from '@parley/http/answers/follow-build';
import type { HttpResponse } from '@parley/http/answers/response';
import { readBuild, type LibraryBuild, type LibraryFile } from './build.ts';
import { createListings, type Listings } from './listing.ts';

type Asked = Pick<Exchange, 'req' | 'query'>;

type Used = 'config' | 'errorDocs' | 'identity' | 'limits' | 'log' | 'wire';

/** Answers a request below /library; false for any other path. */
export type Library = (exchange: Exchange) => Promise<boolean>;

const PATH = /^\/library(?:\/([^/]*)(?:\/([^/]+))?)?$/;
const ALLOW = 'GET, HEAD';
const UNKNOWN = constantError('invalid_endpoint', {
  message: 'The library has no such file: GET /library/ lists them.',
});
const UNBUILT = constantError('service_unavailable', {
  message: 'The library is being built: try again in a minute.',
});

const HASH_LENGTH = 16;

/** Pages of any origin may load the files, without credentials. */
const SHARED = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
/** A released file never changes, but a checkout may build several versions of it between two releases: see `redirect`. */
const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' };

/**
 * Serves the built library: a listing, files at versioned addresses, and redirects to them. The path is compared with file names as it was
 * sent, so it cannot leave the folder. docs/protocol/requests.md#the-library
 */
export function createLibrary(ctx: Pick<ApiContext, Used>): Library {
  const { library, libraryFolder, publicUrl, compression } = ctx.config;
  if (!library || libraryFolder === undefined) return async () => false;
  const current = followBuild(libraryFolder, {
    open: readBuild,
    onBroken: (folder, err) => ctx.log.error({ err, folder }, 'failed to read the library'),
  });
  const listings = new WeakMap<LibraryBuild, Listings>();

  async function respond({ req, query }: Asked, [, first, second]: RegExpExecArray): Promise<HttpResponse> {
    ctx.limits.address(req);
    const build = await current();
    if (!build) throw UNBUILT;
    if (!first && second === undefined) return list(req, build);
    if (second === undefined) return redirect(build, first ?? '');
    const file = build.files.get(second);
    if (!file) throw UNKNOWN;
    if (first !== build.version) throw otherRelease(build, second);
    const compresses = compression && file.name.endsWith('.js');
    // The requested hash belongs to another build: caches must not store this file under it.
    const further = query === '' || query === hashOf(file) ? IMMUTABLE : {};
    return respondWithDocument(file.document, { headers: req.headers, compresses, further });
  }

  function list({ headers }: IncomingMessage, build: LibraryBuild): Promise<HttpResponse> {
    let made = listings.get(build);
    if (!made) listings.set(build, (made = createListings(build, `${publicUrl}/library`)));
    const { json, page, pageHeaders } = made;
    if (!/\btext\/html\b/.test(headers.accept ?? ''))
      return respondWithDocument(json, { headers, compresses: compression });
    return respondWithDocument(page, { headers, compresses: compression, further: pageHeaders });
  }

  async function answer(asked: Asked, match: RegExpExecArray): Promise<HttpResponse> {
    const { req } = asked;
    if (req.method === 'OPTIONS') return { status: 204, headers: { allow: ALLOW } };
    if (req.method !== 'GET' && req.method !== 'HEAD') return methodNotAllowed(ctx, ALLOW);
    return respond(asked, match).catch((error: unknown) => errorAnswer(ctx, error));
  }

  return async (exchange) => {
    const match = PATH.exec(exchange.path);
    if (!match) return false;
    const response = await answer(exchange, match);
    exchange.answer({ ...response, headers: { ...response.headers, ...SHARED } });
    return true;
  };
}

/** The error for a page or a lock file that names the address of a release before an upgrade, or after a rollback. */
function otherRelease({ version }: LibraryBuild, name: string): Error {
  return constantError('invalid_endpoint', {
    message: `This platform hands out its release ${version} alone: /library/${version}/${name}. GET /library/ lists it with its hash.`,
  });
}

function hashOf({ integrity }: LibraryFile): string {
  return encodeURIComponent(integrity.slice(-HASH_LENGTH));
}

/**
 * Redirects to this version of the file on the requested host. The query is the file's hash: a checkout builds several files of one version
 * between two releases, and without the hash a cache would serve an old one.
 */
function redirect({ version, files }: LibraryBuild, name: string): HttpResponse {
  const file = files.get(name);
  if (!file) throw UNKNOWN;
  const location = `/library/${version}/${name}?${hashOf(file)}`;
  return { status: 302, headers: { location, 'cache-control': 'no-cache' } };
}
