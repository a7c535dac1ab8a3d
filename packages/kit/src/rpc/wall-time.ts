/**
 * Deadlines within a process are times by `performance.now()`, so that a clock that is set leaves them alone. grpc-js takes and
 * gives them in milliseconds since the epoch, and turns them into what is left at once.
 */
export function toWallTime(deadline: number): number {
  return deadline - performance.now() + Date.now();
}

export function fromWallTime(deadline: number): number {
  return deadline - Date.now() + performance.now();
}
