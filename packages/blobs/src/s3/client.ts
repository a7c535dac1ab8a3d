import http from 'node:http';
import https from 'node:https';
import { Client } from 'minio';

export type S3Options = {
  /** e.g. `https://s3.example.com:9000`; buckets are at `<endpoint>/<bucket>`, except at Amazon's. */
  endpoint: string;
  /** The same store's address for downloads by clients; default: the endpoint. */
  publicEndpoint?: string | undefined;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
};

/** A request without traffic for this long is aborted. */
const SILENCE_MS = 20_000;

/** A client that neither retries nor waits for ever. */
export function createS3Client({ endpoint, region, accessKey, secretKey }: S3Options): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const isSecure = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    useSSL: isSecure,
    ...(port && { port: Number(port) }),
    region,
    accessKey,
    secretKey,
    transport: transportWithTimeout(isSecure ? https : http),
    transportAgent: new (isSecure ? https : http).Agent({ keepAlive: true, maxSockets: 256 }),
    // The client would report its retries on the console.
    retryOptions: { disableRetry: true },
  });
}

/** The client itself has no timeout. */
function transportWithTimeout(transport: typeof http | typeof https): Pick<typeof http, 'request'> {
  function request(
    options: http.RequestOptions,
    callback?: (res: http.IncomingMessage) => void,
  ): http.ClientRequest {
    const req = transport.request({ ...options, timeout: SILENCE_MS }, callback);
    return req.on('timeout', () => req.destroy(new Error(`the store was silent for ${SILENCE_MS} ms`)));
  }
  return { request: request as typeof http.request };
}
