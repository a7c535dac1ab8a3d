import { PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';

export type User = { appId: string; userId: string };
export type Report = User & { connected?: boolean; status: PresenceStatus };

/** Reports that have been taken out to be sent, and the callers who wait for them. */
export type Batch = { reports: ReadonlyMap<string, Report>; waiters: readonly Waiter[] };
type Waiter = { key: string; resolve(): void; reject(error: unknown): void };

/** Reports that are due, at most one for each user: later changes join it. Pure state: no clock, no I/O. */
export class Reports {
  #due = new Map<string, Report>();
  #waiters: Waiter[] = [];

  get size(): number {
    return this.#due.size;
  }

  add(user: User, change: { connected?: boolean; status?: PresenceStatus }): void {
    const known = this.#due.get(keyOf(user));
    const status = change.status ?? known?.status ?? PresenceStatus.UNSPECIFIED;
    this.#due.set(keyOf(user), { ...user, ...known, ...change, status });
  }

  /** Settles with the batch that the user's report is in. */
  settled(user: User): Promise<void> {
    return new Promise((resolve, reject) => this.#waiters.push({ key: keyOf(user), resolve, reject }));
  }

  /** Takes the oldest reports. */
  take(max: number): Batch {
    const reports = new Map([...this.#due.entries()].slice(0, max));
    for (const key of reports.keys()) this.#due.delete(key);
    const waiters = this.#waiters.filter(({ key }) => reports.has(key));
    this.#waiters = this.#waiters.filter(({ key }) => !reports.has(key));
    return { reports, waiters };
  }

  /** Puts back reports that could not be sent. What their users chose in the meantime replaces them. */
  putBack({ reports }: Batch): void {
    this.#due = new Map([...reports, ...this.#due]);
  }

  /** Reports a user as connected, unless another report is due. */
  addConnected(user: User): void {
    const known = this.#due.get(keyOf(user));
    this.#due.set(keyOf(user), { ...user, connected: true, status: PresenceStatus.UNSPECIFIED, ...known });
  }

  resolveAll(): void {
    for (const { resolve } of this.#waiters) resolve();
  }
}

export function keyOf({ appId, userId }: User): string {
  return `${appId}/${userId}`;
}
