const FIRST_PAUSE_MS = 10;
/** Waits may last long beside other work; what comes at once is seen at once. Milliseconds. */
export const WAIT_MS = 30_000;
/** Long waits are left to the processes that are waited for. */
const LONGEST_PAUSE_MS = 150;

/** Polls until `probe` returns a value; fails after the deadline, naming `what`. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  deadlineMs = WAIT_MS,
): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 1.2)) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
