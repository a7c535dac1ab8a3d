import type { Action, RefusalReason } from '@parley/contract/policy';
import { isoTime } from '@parley/domain/json/time';
import { errorOf, problem } from '@parley/domain/problems';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';

const MESSAGES: Readonly<Record<RefusalReason, string>> = {
  role: 'The role of the user does not allow this.',
  type: 'The type of the conversation does not allow this.',
  frozen: 'The conversation is frozen.',
  muted: 'The user is muted.',
  banned: 'The user is banned from the conversation.',
  edit_window: 'The message can no longer be edited.',
  delete_window: 'The message can no longer be deleted.',
};

/** `action`: the one that was needed. `until`: milliseconds; null: without end. */
export type Refusal = { reason: RefusalReason; action: string; until?: number | null };

/** The problem that tells of a refusal; permission_denied is that of parts. */
export type RefusalProblem = 'access_denied' | 'permission_denied';

/** 403, with `data` = `{reason, action}`. */
export function toProblem({ reason, action, until }: Refusal, id: RefusalProblem = 'access_denied'): Problem {
  const data = {
    reason,
    action,
    ...(until !== undefined && { until: until === null ? null : isoTime(until) }),
  };
  return problem(id, { message: MESSAGES[reason], data });
}

export function failRefused(refusal: Refusal, id?: RefusalProblem): never {
  throw errorOf(toProblem(refusal, id));
}

export function lackOfRole(action: Action): Refusal {
  return { reason: 'role', action };
}
