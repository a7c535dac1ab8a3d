import { ConnectError, type Code } from '@connectrpc/connect';
import { ProblemSchema, type Problem } from '@parley/proto/parley/problem/v1/problem_pb';

/**
 * A ConnectError that carries a problem and no stack. Capturing a stack costs several times the rest of a refusal, and the stack of an
 * expected problem is never read: its message and data say what was wrong.
 */
class ExpectedError {
  readonly name = 'ConnectError';
  readonly message: string;
  readonly rawMessage: string;
  readonly code: Code;
  readonly details: ConnectError['details'];
  readonly cause = undefined;
  readonly isWireError = false;
  #metadata: Headers | undefined;

  constructor(problem: Problem, code: Code, prefix: string) {
    this.message = `${prefix} ${problem.message}`;
    this.rawMessage = problem.message;
    this.code = code;
    this.details = [{ desc: ProblemSchema, value: problem }];
  }

  /** Created on demand, since it is rarely needed. */
  get metadata(): Headers {
    return (this.#metadata ??= new Headers());
  }

  get stack(): string {
    return `${this.name}: ${this.message}`;
  }
}

// Not by `extends`, since the constructor of Error captures the stack.
Object.setPrototypeOf(ExpectedError.prototype, ConnectError.prototype);

/** Prefixes that a ConnectError puts before the message, such as `[not_found]`. */
const prefixes = new Map<Code, string>();

function prefixOf(code: Code): string {
  let prefix = prefixes.get(code);
  if (prefix === undefined) prefixes.set(code, (prefix = new ConnectError('', code).message));
  return prefix;
}

/** An error that passes every check for a ConnectError. */
export function expectedError(problem: Problem, code: Code): ConnectError {
  const error: object = new ExpectedError(problem, code, prefixOf(code));
  return error as ConnectError;
}
