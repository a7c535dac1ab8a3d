import type { TSchema } from 'typebox';
import type { ErrorId } from '../../errors.ts';

/** A method of socket requests. */
export type SocketMethod = {
  /** Unique; the name of the function in a generated client. */
  id: string;
  summary: string;
  /** CommonMark. */
  description: string;
  /** Of requests about one object: what `object_id` names. */
  objectId?: { schema: TSchema; example: string };
  /** Absent: the method takes none. */
  data?: { schema: TSchema; required: boolean; example: unknown };
  /** `data` of the response when the request succeeded. */
  result: { schema: TSchema; example: unknown };
  /** What may go wrong beyond that which may go wrong with every request. */
  errors: readonly ErrorId[];
};

/** What may go wrong with every request of a socket. */
export const COMMON_ERRORS = [
  'rate_limit_exceeded',
  'request_timeout',
  'internal_server_error',
  'service_unavailable',
] as const satisfies readonly ErrorId[];
