import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { Client } from 'minio';

export type S3Options = {
  /** e.g. `https://s3.example.com:9000`; buckets are at `<endpoint>/<bucket>`, except at Amazon's. */
  endpoint: string;
  /** The store's address for downloads by clients; default: the endpoint. */
  publicEndpoint?: string | undefined;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
  /** Folder with `ca.crt`, by which the certificate of the store is checked; read at the start, which fails without it, and for each connection. Default: the system's. */
  tlsFolder?: string | undefined;
};

/** A request without traffic for this long is aborted. */
const SILENCE_MS = 20_000;

/** A client that neither retries nor waits for ever. */
export function createS3Client({ endpoint, region, accessKey, secretKey, tlsFolder }: S3Options): Client {
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
    transportAgent: createAgent(isSecure, tlsFolder),
    // The client would report its retries on the console.
    retryOptions: { disableRetry: true },
  });
}

function createAgent(isSecure: boolean, tlsFolder: string | undefined): http.Agent {
  const options = { keepAlive: true, maxSockets: 256 };
  if (!isSecure) return new http.Agent(options);
  return tlsFolder === undefined ? new https.Agent(options) : new FolderAgent(options, tlsFolder);
}

/** Trusts the authorities that the folder has when it connects, or had last while the file cannot be read. */
class FolderAgent extends https.Agent {
  readonly #file: string;
  #ca: Buffer;

  constructor(options: https.AgentOptions, folder: string) {
    super(options);
    this.#file = path.join(folder, 'ca.crt');
    this.#ca = readFileSync(this.#file);
  }

  override createConnection(
    ...[options, callback]: Parameters<https.Agent['createConnection']>
  ): ReturnType<https.Agent['createConnection']> {
    return super.createConnection({ ...options, ca: this.#read() } as typeof options, callback);
  }

  /** Never throws: Node connects for waiting requests where nothing could catch it. */
  #read(): Buffer {
    try {
      this.#ca = readFileSync(this.#file);
    } catch {
      // A folder that is being replaced has its file again at the next connection.
    }
    return this.#ca;
  }
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
