import { ConnectError } from '@connectrpc/connect';
import { problem, problemOf } from '@parley/domain/problems';
import { isTransientCode } from '@parley/kit/rpc/transient';
import type { Logger } from '@parley/kit/telemetry/log';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';

/** What to say of one item of a batch that failed. */
export function toProblem(error: unknown, log: Logger): Problem {
  const known = problemOf(error);
  if (known) return known;
  const { code } = ConnectError.from(error);
  log.error({ error }, 'item of a batch failed');
  return problem(isTransientCode(code) ? 'service_unavailable' : 'internal_server_error');
}
