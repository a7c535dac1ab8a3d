/**
 * Runs work that may fail in expected ways, such as the parsing of a text from outside: an error that it throws has no stack, whose
 * capture costs more than the failed work. The work must be synchronous, so that nothing else runs meanwhile.
 */
export function withoutStack<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
