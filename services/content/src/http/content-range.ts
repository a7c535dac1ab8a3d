import { fail } from '@parley/domain/problems';

/** The body that the headers of a request to an upload's address announce. */
export type AnnouncedBody =
  | { kind: 'status' }
  | {
      kind: 'bytes';
      start: number;
      /** Offset after the last byte. */
      end: number;
    };

/** Every piece but the last has a multiple of this size. */
const PIECE_BYTES = 256 * 1024;

type Headers = { contentRange: string | undefined; contentLength: string | undefined };

const BYTES_RANGE = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16}|\*)$/i;
const STATUS_RANGE = /^bytes \*\/(\d{1,16}|\*)$/i;

/**
 * Parses the headers of a PUT or POST; without Content-Range: all bytes. Problems: invalid_request.
 * docs/protocol/uploads.md#send-the-bytes
 */
export function parseAnnouncedBody({ contentRange, contentLength }: Headers, size: number): AnnouncedBody {
  const length = contentLength === undefined ? undefined : Number(contentLength);
  const status = STATUS_RANGE.exec(contentRange ?? '');
  if (status) {
    requireTotal(status[1], size);
    if (length) failInvalid('A status query has no body.');
    return { kind: 'status' };
  }
  const { start, end } =
    contentRange === undefined ? { start: 0, end: size } : parseRange(contentRange, size);
  if (length !== undefined && length !== end - start) {
    failInvalid(`${end - start} bytes were announced, and the body has ${length}.`);
  }
  return { kind: 'bytes', start, end };
}

function parseRange(contentRange: string, size: number): { start: number; end: number } {
  const [, first, last, total] = BYTES_RANGE.exec(contentRange) ?? failInvalid('Content-Range is malformed.');
  const start = Number(first);
  const end = Number(last) + 1;
  requireTotal(total, size);
  if (start >= end) failInvalid('Content-Range ends before it starts.');
  if (end > size) failInvalid(`The upload was declared with ${size} bytes.`);
  // The second condition admits a client that continues in the middle of a piece.
  const isWhole = (end - start) % PIECE_BYTES === 0 || end % PIECE_BYTES === 0;
  if (end < size && !isWhole) failInvalid(`Pieces are multiples of ${PIECE_BYTES} bytes, but for the last.`);
  return { start, end };
}

function requireTotal(total: string | undefined, size: number): void {
  if (total !== '*' && Number(total) !== size) failInvalid(`The upload was declared with ${size} bytes.`);
}

function failInvalid(message: string): never {
  return fail('invalid_request', { message });
}
