import { PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';

/** `incarnation`: that of the session; absent for a server. */
export type User = { appId: string; userId: string; incarnation?: number | undefined };
export type Report = User & { connected?: boolean | undefined; status: PresenceStatus };

/** Reports taken out for sending, and the callers who wait for them. */
export type Batch = { reports: ReadonlyMap<string, Report>; waiters: readonly Waiter[] };
type Waiter = { key: string; resolve(): void; reject(error: unknown): void };

/**
 * Due reports, at most one per user id: later changes are merged into it, unless they concern the next holder of the id, whose report
 * replaces it. Pure state: no clock, no I/O.
 */
export class Reports {
  #due = new Map<string, Report>();
  #waiters: Waiter[] = [];

  get size(): number {
    return this.#due.size;
  }

  add(user: User, { connected, status = PresenceStatus.UNSPECIFIED }: Change): void {
    const { appId, userId, incarnation } = user;
    const report = { appId, userId, incarnation, connected, status };
    this.#due.set(keyOf(user), joined(this.#due.get(keyOf(user)), report));
  }

  /** Settles with the batch that contains the user's report. */
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

  /** Puts back reports that could not be sent, merging them with later changes. */
  putBack({ reports }: Batch): void {
    const later = this.#due;
    this.#due = new Map(reports);
    for (const [key, report] of later) this.#due.set(key, joined(this.#due.get(key), report));
  }

  /** Reports a user as connected, unless a due report says otherwise. */
  addConnected(user: User): void {
    const due = this.#due.get(keyOf(user));
    this.add(user, { connected: true });
    if (due) this.#due.set(keyOf(user), joined(this.#due.get(keyOf(user)), due));
  }

  resolveAll(): void {
    for (const { resolve } of this.#waiters) resolve();
  }
}

type Change = { connected?: boolean; status?: PresenceStatus };

/** Merges a report with a later one about the same user id. Returns only the later one if the id has got another holder in between. */
function joined(due: Report | undefined, later: Report): Report {
  if (!due || isOfEarlier(due, later)) return later;
  if (isOfEarlier(later, due)) return due;
  const { appId, userId } = later;
  return {
    appId,
    userId,
    incarnation: later.incarnation ?? due.incarnation,
    connected: later.connected ?? due.connected,
    status: later.status || due.status,
  };
}

/** Whether `one` belongs to a person who was erased before `other` got the user id. */
export function isOfEarlier(one: User, other: User): boolean {
  return (
    one.incarnation !== undefined && other.incarnation !== undefined && one.incarnation < other.incarnation
  );
}

export function keyOf({ appId, userId }: User): string {
  return `${appId}/${userId}`;
}
