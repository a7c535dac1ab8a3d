import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import Negotiator from 'negotiator';

/** A content coding that responses are compressed with. */
export type Encoding = 'zstd' | 'br' | 'gzip';

/** Smaller responses are left as they are: they fit into one packet of the network. Bytes. */
const LARGEST_PLAIN = 1024;
/** Up to this size a response is compressed at once, which costs less than handing it to another thread. Bytes. */
export const MAX_AT_ONCE = 256 * 1024;

/** The cheapest first, of those that a client likes equally. */
const ENCODINGS: readonly Encoding[] = ['zstd', 'br', 'gzip'];

/** The fast end of each: the slow one saves a tenth of the bytes for several times the processor time. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 } };
const GZIP = { level: 1 };

const AT_ONCE: Readonly<Record<Encoding, (text: string) => Buffer>> = {
  zstd: (text) => zstdCompressSync(text, ZSTD),
  br: (text) => brotliCompressSync(text, BROTLI),
  gzip: (text) => gzipSync(text, GZIP),
};

const STREAMS = {
  zstd: () => createZstdCompress(ZSTD),
  br: () => createBrotliCompress(BROTLI),
  gzip: () => createGzip(GZIP),
};

/** The package's types lack the options. */
type PreferringNegotiator = {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
};

/** Whether a response of so many bytes is compressed for clients that ask for it. */
export function isWorthCompressing(bytes: number): boolean {
  return bytes > LARGEST_PLAIN;
}

/** The encoding that the client prefers; undefined: the response goes out as it is. */
export function encodingFor({ req }: ServerResponse): Encoding | undefined {
  return req.method === 'HEAD' ? undefined : encodingOf(req.headers, ENCODINGS);
}

/** The coding for the client of a request; of those that it likes equally, the first. Undefined: none. */
export function encodingOf(
  headers: IncomingHttpHeaders,
  preferred: readonly Encoding[],
): Encoding | undefined {
  if (headers['accept-encoding'] === undefined) return undefined;
  const negotiator: PreferringNegotiator = new Negotiator({ headers });
  const [best] = negotiator.encodings([...preferred, 'identity'], { preferred });
  return preferred.find((encoding) => encoding === best);
}

export function compress(text: string, encoding: Encoding): Buffer {
  return AT_ONCE[encoding](text);
}

/** The stream that a long body is written to: the response itself, or a compressor in front of it. */
export function openSink(res: ServerResponse, encoding: Encoding | undefined): Writable {
  if (!encoding) return res;
  const compressor = STREAMS[encoding]();
  compressor.on('error', () => res.destroy());
  res.once('close', () => compressor.destroy());
  compressor.pipe(res);
  return compressor;
}
