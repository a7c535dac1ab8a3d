import http from 'node:http';
import https from 'node:https';
import { Client } from 'minio';

export type S3Options = {
  /** e.g. `https://s3.example.com:9000`; addresses of buckets are `<endpoint>/<bucket>` unless it is Amazon's. */
  endpoint: string;
  /** Where downloaders reach the same store; default: the endpoint. */
  publicEndpoint?: string | undefined;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
};

/** A connection on which nothing moves for so long is given up. */
const SILENCE_MS = 20_000;

export function createS3Client({ endpoint, region, accessKey, secretKey }: S3Options): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const isSecure = protocol === 'https:';
  return new Client({
    endPoint: hostname,
    useSSL: isSecure,
    ...(port && { port: Number(port) }),
    ...{ region, accessKey, secretKey },
    transport: patientTransport(isSecure ? https : http),
    transportAgent: new (isSecure ? https : http).Agent({ keepAlive: true, maxSockets: 256 }),
    // It would say so on the console.
    retryOptions: { disableRetry: true },
  });
}

// The client itself would wait for ever for a store that says nothing.
function patientTransport(transport: typeof http | typeof https): Pick<typeof http, 'request'> {
  const request = (options: http.RequestOptions, callback?: (res: http.IncomingMessage) => void) => {
    const req = transport.request({ ...options, timeout: SILENCE_MS }, callback);
    return req.on('timeout', () => req.destroy(new Error(`the store was silent for ${SILENCE_MS} ms`)));
  };
  return { request: request as typeof http.request };
}
