import { limits } from '@parley/contract/limits';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import { objectKinds, type ObjectKind } from './object-kinds.ts';
import { createProblem, failWith } from './problem.ts';

export type MissingObject = {
  /** Default: that of the kind. */
  message?: string;
  /** The body property that names the object; absent if the path or `object_id` does. */
  property?: string;
};

/** An invalid id is shown as it was sent, up to this length. UTF-16 code units. */
const LONGEST_ID = 2 * limits.userId;

/**
 * The object named in a request does not exist, or the caller may not see it: the answer is the same. `id` is what the caller sent, as a
 * bare id if it could be parsed, and never anything else; null for the only object of its kind, and for a secret.
 */
export function notFound(kind: ObjectKind, id: string | null, details: MissingObject = {}): Problem {
  const { message = objectKinds[kind].message, property } = details;
  const shown = id === null ? null : id.slice(0, LONGEST_ID).toWellFormed();
  const data = { kind, id: shown };
  return createProblem('not_found', property === undefined ? { message, data } : { message, data, property });
}

/** Throws `notFound`. */
export function failNotFound(kind: ObjectKind, id: string | null, details?: MissingObject): never {
  return failWith(notFound(kind, id, details));
}
