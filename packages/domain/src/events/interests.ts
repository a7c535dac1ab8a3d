import { Code, ConnectError, type Client } from '@connectrpc/connect';
import type {
  EventInterest,
  EventInterestService,
} from '@parley/proto/parley/messaging/v1/event_interest_service_pb';

/** An application whose events a service awaits. `since`: time of the first event, in milliseconds since the epoch. */
export type AwaitedApp = { appId: string; since: number };

export type InterestOptions = {
  client: Client<typeof EventInterestService>;
  /** The service that awaits the events. */
  consumer: 'webhook' | 'export';
  /** Lists the applications whose events the service awaits, by id, after a given one. */
  listAwaited(after: string | undefined, limit: number): Promise<AwaitedApp[]>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A failed registration is repeated by a later comparison. */
  failed(error: unknown, appId: string): void;
};

/** The interest of a service in the events of some applications. docs/events.md#events-by-interest */
export type Interests = {
  /**
   * Makes messaging store the events of an application for the service, from a time on. Never rejects: a comparison repeats a failed
   * registration, and the missed events come from the change log.
   */
  register(app: AwaitedApp): Promise<void>;
  /**
   * Registers missing applications, and drops those whose events the service no longer awaits. Does nothing shortly after a successful
   * comparison.
   */
  compare(): Promise<void>;
};

const PAGE = 5_000;
/** Longest time that a client's request waits for its registration. Milliseconds. */
const REGISTRATION_MS = 2_000;
/** A late registration may first have to publish the events of several days. */
const LATE_REGISTRATION_MS = 60_000;
const COMPARE_EVERY_MS = 10_000;

export function createInterests(options: InterestOptions): Interests {
  const { now, failed } = options;
  let nextAt = 0;
  return {
    async register(app) {
      try {
        await register(options, app, REGISTRATION_MS);
      } catch (error) {
        nextAt = 0;
        failed(error, app.appId);
      }
    },
    async compare() {
      if (now() < nextAt) return;
      await compare(options);
      nextAt = now() + COMPARE_EVERY_MS;
    },
  };
}

async function register(
  { client, consumer }: InterestOptions,
  { appId, since }: AwaitedApp,
  timeoutMs: number,
): Promise<void> {
  await unlessUnknown(client.registerEventInterest({ appId, consumer, since }, { timeoutMs }));
}

/**
 * Compares the registered applications with the wanted ones. Registered ones are listed first, so that an application registered during the
 * comparison has another version and is not dropped. A failed registration does not delay the others, but then no application is dropped.
 */
async function compare(options: InterestOptions): Promise<void> {
  const { client, consumer } = options;
  const surplus = new Map((await listRegistered(options)).map((interest) => [interest.appId, interest]));
  let failure: unknown;
  for await (const app of awaitedApps(options)) {
    const isComplete = surplus.get(app.appId)?.isIncomplete === false;
    surplus.delete(app.appId);
    if (isComplete) continue;
    await register(options, app, LATE_REGISTRATION_MS).catch((error: unknown) => {
      failure = error;
      options.failed(error, app.appId);
    });
  }
  if (failure !== undefined) throw failure;
  const dropped = [...surplus.values()];
  for (let from = 0; from < dropped.length; from += PAGE) {
    const interests = dropped.slice(from, from + PAGE);
    await unlessUnknown(client.dropEventInterests({ consumer, interests }));
  }
}

async function* awaitedApps({ listAwaited }: InterestOptions): AsyncGenerator<AwaitedApp> {
  for (let after: string | undefined; ;) {
    const page = await listAwaited(after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.appId;
  }
}

async function listRegistered({ client, consumer }: InterestOptions): Promise<EventInterest[]> {
  const all: EventInterest[] = [];
  for (let afterAppId = ''; ;) {
    const request = { consumer, afterAppId, limit: PAGE };
    const interests = (await unlessUnknown(client.listEventInterests(request)))?.interests ?? [];
    all.push(...interests);
    afterAppId = interests.at(-1)?.appId ?? '';
    if (interests.length < PAGE) return all;
  }
}

/** Undefined for a messaging service of the previous release, which stores the events of all applications. */
async function unlessUnknown<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unimplemented) return undefined;
    throw error;
  }
}
