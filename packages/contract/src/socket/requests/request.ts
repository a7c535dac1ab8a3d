import type { TSchema } from 'typebox';
import type { ErrorId } from '../../errors.ts';

/** A method of socket requests. */
export type SocketMethod = {
  /** Unique; the name of the function in a generated client. */
  id: string;
  summary: string;
  /** CommonMark. */
  description: string;
  /** The object that `object_id` names, for requests about one object. */
  objectId?: { schema: TSchema; example: string };
  /** Absent: the method takes none. */
  data?: { schema: TSchema; required: boolean; example: unknown };
  /** `data` of the response when the request succeeded. */
  result: { schema: TSchema; example: unknown };
  /** Errors besides those of every request. */
  errors: readonly ErrorId[];
};

/** Errors of every request of a socket. */
export const COMMON_ERRORS = [
  'rate_limit_exceeded',
  'request_timeout',
  'internal_server_error',
  'service_unavailable',
] as const satisfies readonly ErrorId[];
