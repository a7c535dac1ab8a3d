/** Names of devices that Windows takes for no file, whatever follows a dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * The value of `Content-Disposition` for a download: an attachment, with its name in both forms of RFC 6266. Browsers take `filename*`, which
 * is the name itself, and make it safe for their system. `filename` is for simpler programs, which may not: there all that could be
 * misread is replaced by `_`.
 */
export function contentDisposition(filename: string | undefined): string {
  if (filename === undefined || filename === '') return 'attachment';
  return `attachment; filename="${asciiName(filename)}"; filename*=UTF-8''${extendedValue(filename)}`;
}

function asciiName(filename: string): string {
  const ascii = filename
    .toWellFormed()
    .replace(/[^ -~]|["\\/]/gu, '_')
    // Some programs decode it. RFC 6266, appendix D
    .replace(/%(?=[0-9a-f]{2})/gi, '_');
  if (/^[. ]+$/.test(ascii)) return '_'.repeat(ascii.length);
  return DEVICE.test(ascii) ? `_${ascii}` : ascii;
}

/** `ext-value` of RFC 8187, without its charset: percent-encoded UTF-8. */
function extendedValue(filename: string): string {
  return encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
