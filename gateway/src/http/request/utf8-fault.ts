/** What decoding puts in the place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';
const ENCODED_REPLACEMENT = Buffer.from(REPLACEMENT);

/**
 * Index in the decoded text of the first bytes that are not UTF-8; the length of a text whose bytes all are. A replacement
 * character that was sent as such is no fault. One pass.
 */
export function findUtf8Fault(bytes: Buffer, text: string): number {
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
