import type { Piece } from './pieces.ts';

export type Answer = {
  status: number;
  headers?: Record<string, string> | undefined;
  /** Rendered as JSON; undefined: an empty body. */
  body?: unknown;
  /** Sent as it is, with a content-type of its own in `headers`. */
  text?: string | undefined;
  /** The body, rendered already. */
  json?: string | undefined;
  /** A body that is an array, piece by piece. */
  stream?: StreamedArray | undefined;
};

/** An array that is too large to be held whole. */
export type StreamedArray = {
  /** The first items as a JSON array. */
  first: string;
  next: (() => Promise<Piece>) | undefined;
  /** To be called when nothing of it is held any more, however that came; may be called more than once. */
  done: () => void;
};
