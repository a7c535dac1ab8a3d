import { Code, ConnectError } from '@connectrpc/connect';
import { ProblemSchema } from '@parley/proto/parley/problem/v1/problem_pb';

/** One line for a person. */
export function describeError(error: unknown): string {
  const text =
    error instanceof ConnectError
      ? describeAnswer(error)
      : String(error instanceof Error ? error.message : error);
  return text.split('\n', 1)[0] ?? '';
}

function describeAnswer(error: ConnectError): string {
  const [problem] = error.findDetails(ProblemSchema);
  return `${problem?.id ?? Code[error.code]}: ${problem?.message || error.rawMessage}`;
}
