/**
 * Deadlines within a process are times by `performance.now()`, so that setting the clock does not affect them. grpc-js uses milliseconds
 * since the epoch, and converts them to the remaining time at once.
 */
export function toWallTime(deadline: number): number {
  return deadline - performance.now() + Date.now();
}

export function fromWallTime(deadline: number): number {
  return deadline - Date.now() + performance.now();
}
