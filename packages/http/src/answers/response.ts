import type { Chunk } from './chunks.ts';

export type HttpResponse = {
  status: number;
  headers?: Record<string, string> | undefined;
  /** Rendered as JSON; undefined: an empty body. */
  body?: unknown;
  /** A body that is not JSON; its content-type is in `headers`. */
  text?: string | undefined;
  /** A body that is ready to be sent; `headers` describe it. */
  bytes?: Buffer | undefined;
  /** The body as JSON text. */
  json?: string | undefined;
  /** A body that is an array, written chunk by chunk. */
  stream?: StreamedArray | undefined;
};

/** An array that is too large to be held in memory. */
export type StreamedArray = {
  /** The first items as a JSON array. */
  first: string;
  next: (() => Promise<Chunk>) | undefined;
  /** To be called when the array has been written, or given up; may be called more than once. */
  done: () => void;
};
