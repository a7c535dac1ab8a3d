import { isUtf8 } from 'node:buffer';

/** The character that decoding puts in the place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';
const ENCODED_REPLACEMENT = Buffer.from(REPLACEMENT);

/** Valid UTF-8 is passed over in steps of so many bytes; only the step with the fault is searched character by character. */
const STEP_BYTES = 4_096;
/** Bytes of a character after its first one, at most. */
const MAX_CONTINUATION_BYTES = 3;

/**
 * Index in the decoded text of the first bytes that are not UTF-8; the length of a text whose bytes all are. A replacement
 * character that was sent as such is no fault. One pass.
 */
export function findUtf8Fault(bytes: Buffer): number {
  const start = endOfValidSteps(bytes);
  const step = bytes.subarray(start, start + STEP_BYTES + MAX_CONTINUATION_BYTES + 1);
  return bytes.toString('utf8', 0, start).length + faultWithin(step, step.toString());
}

/** The offset at which the faulty step begins, or the last one. */
function endOfValidSteps(bytes: Buffer): number {
  let start = 0;
  while (bytes.length - start > STEP_BYTES) {
    const end = startOfCharacter(bytes, start + STEP_BYTES);
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end;
  }
  return start;
}

/** The offset at which the character of a byte begins. */
function startOfCharacter(bytes: Buffer, offset: number): number {
  let start = offset;
  while (offset - start < MAX_CONTINUATION_BYTES && isContinuation(bytes[start])) start -= 1;
  return start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

function faultWithin(bytes: Buffer, text: string): number {
  let offset = 0;
  let from = 0;
  for (;;) {
    const at = text.indexOf(REPLACEMENT, from);
    if (at < 0) return text.length;
    offset += Buffer.byteLength(text.slice(from, at));
    const end = offset + ENCODED_REPLACEMENT.length;
    if (!bytes.subarray(offset, end).equals(ENCODED_REPLACEMENT)) return at;
    offset = end;
    from = at + 1;
  }
}
