import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import { conditionOf } from '@parley/kit/http/conditions';
import { encodingOf, isWorthCompressing, type Encoding } from './compression.ts';
import type { HttpResponse } from './response.ts';

/** A file that is the same for every client. It is compressed once with each coding, by other threads. */
export type Document = {
  contentType: string;
  /** Weak: the codings are one document. */
  etag: string;
  bytes: Buffer;
  encoded: Map<Encoding, Promise<Buffer>>;
};

/** The smallest first: a document is compressed once, and sent often. */
const PREFERRED: readonly Encoding[] = ['br', 'zstd', 'gzip'];
const ETAG_LENGTH = 27;

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 15 } };
const COMPRESSORS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  zstd: (bytes) => promisify(zstdCompress)(bytes, ZSTD),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

export function createDocument(contents: string | Buffer, contentType: string): Document {
  const bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, ETAG_LENGTH);
  return { contentType, etag: `W/"${hash}"`, bytes, encoded: new Map() };
}

type Asked = {
  headers: IncomingHttpHeaders;
  /** Whether this process compresses answers. */
  compresses: boolean;
  /** Headers besides those of every document, or in their place; names in lower case. */
  further?: Readonly<Record<string, string>>;
};

/** Answers with a document in the coding that the client likes, or says that the client has it. docs/protocol/requests.md#conditional-requests */
export async function respondWithDocument(document: Document, asked: Asked): Promise<HttpResponse> {
  const { contentType, etag, bytes } = document;
  const validation = { etag, 'cache-control': 'no-cache', vary: 'Origin, Accept-Encoding', ...asked.further };
  const condition = conditionOf(asked.headers, etag);
  if (condition === 'unchanged') return { status: 304, headers: validation };
  if (condition === 'failed') return { status: 412, headers: { etag } };
  const headers = { ...validation, 'content-type': contentType };
  const isLarge = asked.compresses && isWorthCompressing(bytes.length);
  const encoding = isLarge ? encodingOf(asked.headers, PREFERRED) : undefined;
  if (!encoding) return { status: 200, headers, bytes };
  return {
    status: 200,
    headers: { ...headers, 'content-encoding': encoding },
    bytes: await encodedBy(document, encoding),
  };
}

function encodedBy({ bytes, encoded }: Document, encoding: Encoding): Promise<Buffer> {
  let result = encoded.get(encoding);
  if (!result) encoded.set(encoding, (result = COMPRESSORS[encoding](bytes)));
  return result;
}
