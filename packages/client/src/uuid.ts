/**
 * A UUID of version 7: the time in milliseconds, then random bits. Works in pages without HTTPS too, where browsers lack `crypto.randomUUID`.
 *
 * @param now Milliseconds since 1970; by default the present.
 * @returns The id, in lower case.
 * @example
 * await server.createAnnouncement({ id: newId(), sender_id: 'ada', recipients: ['bob'], parts });
 */
export function uuid7(now = Date.now()): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte, index) => {
    // Sets the bits of version and variant.
    const marked = index === 0 ? (byte & 0x0f) | 0x70 : index === 2 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  const hex = now.toString(16).padStart(12, '0') + random.join('');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
