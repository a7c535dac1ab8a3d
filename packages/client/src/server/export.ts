import { constants, createDecipheriv, createHash, privateDecrypt } from 'node:crypto';
import { Readable, pipeline, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { Export, HistoricalArchive, ScheduledArchive } from '@parley/contract/gen/records';
import { ParleyError } from '../errors.ts';
import { errorOfResponse } from './error-of-response.ts';
import { singleFile } from './tar.ts';

/** A completed export, and the means to open it. */
export type OpenExportInput = {
  /** The completed export, as `getExport` returned it. */
  export: Export;
  /** PEM of the private key whose public half was registered when the export was requested. */
  privateKey: string;
  /** The archive's bytes, if it has been downloaded already; by default it is downloaded from `export.download_url`. */
  archive?: AsyncIterable<Uint8Array> | Uint8Array;
  /** Another implementation of `fetch`. */
  fetch?: typeof fetch;
};

/**
 * Downloads, decrypts and unpacks the archive of an export, without holding it in memory.
 *
 * @param input The export and the private key.
 * @returns The bytes of its `export.json`. The stream fails with `invalid_archive` at its end if the checksum is not that of the export, so
 *   use what you read only once it has ended.
 * @throws ParleyError `export_not_ready` if the export is not completed, `invalid_archive` if the private key is not the right one, or the
 *   download's error: after `access_denied` ask for the export again, which renews its address.
 * @example
 * const done = await server.getExport(id);
 * await pipeline(openExport({ export: done, privateKey }), createWriteStream('export.json'));
 */
export function openExport(input: OpenExportInput): Readable {
  return Readable.from(contentOf(input, keyOf(input)), { objectMode: false });
}

async function* contentOf(input: OpenExportInput, key: Buffer): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of await archiveOf(input)) {
      hash.update(chunk);
      yield chunk;
    }
    if (hash.digest('hex') !== input.export.archive_sha256)
      throw invalid('The checksum of the archive is wrong.');
  }
  const decipher = createDecipheriv('aes-256-cbc', key, bytesOf(input.export.aes_iv));
  const unpacked = compose(compose(Readable.from(hashed()), decipher), createGunzip());
  try {
    yield* singleFile(unpacked);
  } catch (cause) {
    throw cause instanceof ParleyError ? cause : invalid('The archive cannot be read.', cause);
  }
}

/** The output of a transformation, which also fails with errors of its source. */
function compose(source: Readable, transform: Duplex): Duplex {
  return pipeline(source, transform, () => {});
}

/**
 * The content of an export as one value. For archives that fit into memory; otherwise use {@link openExport}.
 *
 * @param input The export and the private key.
 * @returns `conversations` and `messages` of a historical export, `events` of a scheduled one.
 * @throws ParleyError As {@link openExport}.
 * @example
 * const { messages } = await readExport({ export: await server.getExport(id), privateKey });
 */
export async function readExport(input: OpenExportInput): Promise<HistoricalArchive | ScheduledArchive> {
  return JSON.parse(await text(openExport(input)));
}

function keyOf({ export: { status, encrypted_aes_key, key_padding }, privateKey }: OpenExportInput): Buffer {
  if (status !== 'completed' || encrypted_aes_key === null) {
    throw new ParleyError({ id: 'export_not_ready', message: 'The export is not completed.' });
  }
  const padding =
    key_padding === 'oaep-sha256'
      ? { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
      : { padding: constants.RSA_PKCS1_PADDING };
  try {
    return privateDecrypt({ key: privateKey, ...padding }, bytesOf(encrypted_aes_key));
  } catch (cause) {
    throw invalid('The private key does not open this export.', cause);
  }
}

async function archiveOf({
  archive,
  export: { download_url },
  fetch: ask = fetch,
}: OpenExportInput): Promise<AsyncIterable<Uint8Array>> {
  if (archive) return archive instanceof Uint8Array ? Readable.from([archive]) : archive;
  const response = await ask(download_url ?? '');
  if (!response.ok || !response.body) throw await errorOfResponse(response);
  return response.body;
}

function bytesOf(base64: string | null): Buffer {
  return Buffer.from(base64 ?? '', 'base64');
}

function invalid(message: string, cause?: unknown): ParleyError {
  return new ParleyError({ id: 'invalid_archive', message }, { cause });
}
