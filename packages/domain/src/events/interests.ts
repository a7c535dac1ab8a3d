import { Code, ConnectError, type Client } from '@connectrpc/connect';
import type {
  EventInterest,
  EventInterestService,
} from '@parley/proto/parley/messaging/v1/event_interest_service_pb';

/** An application whose events a service awaits. `since`: the time of the first of them, in milliseconds since the epoch. */
export type AwaitedApp = { appId: string; since: number };

export type InterestOptions = {
  client: Client<typeof EventInterestService>;
  /** The service that awaits the events. */
  consumer: 'webhook' | 'export';
};

const PAGE = 5_000;
/** A registration may have to publish events of some days first. */
const REGISTRATION_MS = 60_000;

/** Has the events of an application stored for the consumer, from a time on. */
export async function registerInterest(
  { client, consumer }: InterestOptions,
  { appId, since }: AwaitedApp,
  timeoutMs = REGISTRATION_MS,
): Promise<void> {
  await unlessUnknown(client.registerEventInterest({ appId, consumer, since }, { timeoutMs }));
}

/**
 * Registers the applications that a service awaits events of and that are not registered, and drops those it no longer awaits.
 * What is registered is listed first: an application that is registered during the comparison has another version then, and
 * is not dropped.
 */
export async function compareInterests(
  options: InterestOptions,
  listAwaited: (after: string | undefined, limit: number) => Promise<AwaitedApp[]>,
): Promise<void> {
  const { client, consumer } = options;
  const registered = await listRegistered(options);
  const surplus = new Map(registered.map((interest) => [interest.appId, interest]));
  const complete = new Set(registered.flatMap((one) => (one.isIncomplete ? [] : one.appId)));
  for (let page = await listAwaited(undefined, PAGE); page.length > 0;) {
    for (const app of page) {
      surplus.delete(app.appId);
      if (!complete.has(app.appId)) await registerInterest(options, app);
    }
    page = page.length < PAGE ? [] : await listAwaited(page.at(-1)?.appId, PAGE);
  }
  const dropped = [...surplus.values()];
  for (let from = 0; from < dropped.length; from += PAGE) {
    const interests = dropped.slice(from, from + PAGE);
    await unlessUnknown(client.dropEventInterests({ consumer, interests }));
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

/** Undefined from a messaging service of the previous release, which stores the events of all applications. */
async function unlessUnknown<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unimplemented) return undefined;
    throw error;
  }
}
