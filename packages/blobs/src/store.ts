import type { Readable } from 'node:stream';

/** What a blob is shown as; fixed when it is begun. */
export type BlobDescription = { contentType: string };

/** An upload that was begun: plain data, so that any process can go on with it. */
export type BlobUpload = { key: string; uploadId: string };

/** Bytes that the store has; to be remembered by the caller, in the order of the blob. */
export type StoredPart = {
  /** Of a part that is not staged: 1, 2, 3 … within the blob. */
  number: number;
  size: number;
  /** What the store knows it by. */
  tag: string;
  /** Too small to be a part yet: only ever at the end, to be handed in with the piece that follows. */
  staged: boolean;
};

export type Piece = {
  /** The next one after the parts that are not staged; one that was sent and is not remembered is sent anew. */
  number: number;
  chunks: readonly Uint8Array[];
  /** The staged parts at the end of the blob so far, in order. */
  staged: readonly StoredPart[];
  /** Nothing follows. */
  isLast: boolean;
};

/** Both ends included. */
export type ByteRange = { start: number; end: number };

export type Address = BlobDescription & {
  /** Milliseconds since the epoch. */
  expiresAt: number;
};

/**
 * Blobs under keys (letters, digits, `-`, `_`, `.` and `/`). A blob appears as a whole when its upload is completed, or
 * never. Every call fails with a ConnectError: Unavailable when the store cannot be reached or is full, NotFound where
 * there is no such blob or upload, DataLoss where a part is not what it was.
 */
export interface BlobStore {
  /** The size of piece that suits the store best. */
  readonly partBytes: number;
  begin(key: string, description: BlobDescription): Promise<string>;
  /** Keeps a piece durably. A result that is not staged takes the place of the staged parts that were handed in. */
  append(upload: BlobUpload, piece: Piece): Promise<StoredPart>;
  /** Makes the blob of its parts, none of them staged; none at all: an empty blob. Again: no effect. */
  complete(upload: BlobUpload, parts: readonly StoredPart[], description: BlobDescription): Promise<void>;
  /** Removes the blob and everything of uploads to it. Nothing there: no effect. */
  discard(key: string): Promise<void>;
  find(key: string): Promise<{ size: number } | undefined>;
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** An address that anybody may download from until it expires. */
  presign(key: string, address: Address): Promise<string>;
}
