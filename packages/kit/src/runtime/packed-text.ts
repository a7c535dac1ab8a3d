import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** A text in as few bytes as is worth the time. Bytes of a text that does not get smaller grow by less than a hundredth. */
export function packText(text: string): Promise<Buffer> {
  return deflate(Buffer.from(text));
}

/** Rejects for bytes that are no packed text, or one of more than `maxBytes`. */
export async function unpackText(packed: Uint8Array, maxBytes: number): Promise<string> {
  return (await inflate(packed, { maxOutputLength: maxBytes })).toString('utf8');
}
