import { ConnectError } from '@connectrpc/connect';
import { problem, problemOf } from '@parley/domain/problems';
import { isTransientCode } from '@parley/kit/rpc/transient';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';

/** The problem to report for one failed item of a batch. */
export function toProblem(error: unknown, log: Logger): Problem {
  const known = problemOf(error);
  if (known) return known;
  const { code } = ConnectError.from(error);
  log.error({ error }, 'failed to handle an item of a batch; its caller gets an error');
  return problem(isTransientCode(code) ? 'service_unavailable' : 'internal_server_error');
}
