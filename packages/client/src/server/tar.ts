import { ParleyError } from '../errors.ts';

const BLOCK = 512;
const SIZE_AT = 124;
const SIZE_END = 136;

/** The content of the only file in a tar; reads to the tar's end, so that earlier streams see their end, too. */
export async function* singleFile(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let header = new Uint8Array();
  let left: number | undefined;
  for await (const chunk of tar) {
    let rest = chunk;
    if (left === undefined) {
      const missing = BLOCK - header.length;
      header = Uint8Array.from([...header, ...rest.subarray(0, missing)]);
      if (header.length < BLOCK) continue;
      rest = rest.subarray(missing);
      left = sizeOf(header);
    }
    const content = rest.subarray(0, left);
    left -= content.length;
    if (content.length > 0) yield content;
  }
  if (left !== 0) throw new ParleyError({ id: 'invalid_archive', message: 'The archive is cut off.' });
}

/** Octal digits, or a binary number after a first byte of 0x80 for files of 8 GB and more. */
function sizeOf(header: Uint8Array): number {
  const field = header.subarray(SIZE_AT, SIZE_END);
  if (field[0] === 0x80) return field.subarray(1).reduce((size, byte) => size * 256 + byte, 0);
  return Number.parseInt(new TextDecoder().decode(field), 8);
}
