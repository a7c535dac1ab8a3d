import type { Readable } from 'node:stream';

/** How a blob is served; fixed when its upload begins. */
export type BlobDescription = { contentType: string };

/** An upload in progress: plain data, so that any process can continue it. */
export type BlobUpload = { key: string; uploadId: string };

/** Bytes that the store has. The caller keeps the list of parts, in the order of the blob. */
export type StoredPart = {
  /** Number of a part that is not staged: 1, 2, 3 … within the blob. */
  number: number;
  size: number;
  /** The store's own name of the part. */
  tag: string;
  /** Too small to be a part yet: only at the end of a blob, to be passed in with the next piece. */
  staged: boolean;
};

export type Piece = {
  /** One more than the number of parts that are not staged. A part that the caller did not record is sent again. */
  number: number;
  chunks: readonly Uint8Array[];
  /** The staged parts at the end of the blob so far, in order. */
  staged: readonly StoredPart[];
  /** Whether this is the end of the blob. */
  isLast: boolean;
};

/** A range of bytes, both ends included. */
export type ByteRange = { start: number; end: number };

export type Address = BlobDescription & {
  /** The name under which the download is saved. */
  filename?: string | undefined;
  /** Milliseconds since the epoch. */
  expiresAt: number;
};

/**
 * Stores blobs under keys (letters, digits, `-`, `_`, `.` and `/`). A blob appears as a whole when its upload is completed. Every
 * call fails with a ConnectError: Unavailable when the store cannot be reached or is full, NotFound when there is no such blob or
 * upload, DataLoss when a part is damaged.
 */
export interface BlobStore {
  /** The size of piece that suits the store best. */
  readonly partBytes: number;
  /** Starts an upload; returns its id. */
  begin(key: string, description: BlobDescription): Promise<string>;
  /** Stores a piece durably. A part that is not staged replaces the staged parts that were passed in. */
  append(upload: BlobUpload, piece: Piece): Promise<StoredPart>;
  /** Makes the blob of its parts, none of them staged; without parts: an empty blob. Idempotent. */
  complete(upload: BlobUpload, parts: readonly StoredPart[], description: BlobDescription): Promise<void>;
  /** Removes the blob and all uploads to it. Idempotent. */
  discard(key: string): Promise<void>;
  find(key: string): Promise<{ size: number } | undefined>;
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** An address from which every client may download until it expires. */
  presign(key: string, address: Address): Promise<string>;
}
