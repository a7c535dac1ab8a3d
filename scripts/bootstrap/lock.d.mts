/** Runs `work` under a lock, after waiting for its holder. A lock whose holder has ended is taken over. */
export function withLock(file: string, work: () => Promise<void>): Promise<void>;
