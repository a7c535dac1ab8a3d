import type { Platform as RunningPlatform } from '@parley/stack/platform';
import { createApp, uuidOf, type TestApp, type TestUser } from '../../test/support/app.ts';
import { measureStages, type MetricsPorts } from './metrics/stages.ts';
import type { Profiler } from './profile/profiler.ts';
import { drive, quantile, type Figures } from './stats.ts';
import { measureUsage } from './usage.ts';

/** The tools of scenarios. */
export type Bench = {
  running: RunningPlatform;
  app: TestApp;
  /** Certificate of push services, which the platform trusts. */
  tls: { key: string; cert: string };
  /** Factor on the number of items; 1 is the usual length. */
  scale: number;
  /** `work` resolves with the times of its calls in milliseconds, the shortest first. */
  measure(
    name: string,
    items: number,
    work: () => Promise<readonly number[]>,
    note?: string,
  ): Promise<Figures>;
};

export type BenchOptions = {
  running: RunningPlatform;
  tls: { key: string; cert: string };
  scale: number;
  metricsPorts: MetricsPorts;
  profiler?: Profiler | undefined;
};

/** How many users or conversations are made at the same time. */
const MADE_AT_ONCE = 8;

/** A bench with an application of its own. */
export async function createBench(options: BenchOptions): Promise<Bench> {
  const { running, scale, tls } = options;
  const { baseUrl, state } = running;
  return {
    running,
    tls,
    scale,
    app: await createApp({ baseUrl, adminToken: state.admin_token }, 'bench'),
    measure: (name, items, work, note) => measure(options, { name, items, note }, work),
  };
}

type Measurement = { name: string; items: number; note: string | undefined };

async function measure(
  { running, metricsPorts, profiler }: BenchOptions,
  { name, items, note }: Measurement,
  work: () => Promise<readonly number[]>,
): Promise<Figures> {
  const stages = await measureStages(metricsPorts);
  const run = async (): Promise<Figures> => {
    const usage = measureUsage(running.state);
    const began = performance.now();
    const times = await work();
    const seconds = (performance.now() - began) / 1000;
    const { micros: cpu, switches, foreign } = usage(items);
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    return { name, count: items, seconds, p50, p99, cpu, switches, foreign, ...(note && { note }) };
  };
  const figures = await (profiler ? profiler.during(name, run) : run());
  return { ...figures, stages: await stages() };
}

/** Logs in users with ids of this prefix. */
export async function createUsers({ app }: Bench, prefix: string, count: number): Promise<TestUser[]> {
  const users: TestUser[] = [];
  await drive(count, MADE_AT_ONCE, async (index) => {
    users[index] = await app.login(`${prefix}-${index}`);
  });
  return users;
}

/** Creates a conversation of these users; the first of them creates it. Resolves with its uuid. */
export async function createConversation(users: readonly TestUser[]): Promise<string> {
  const participants = users.map(({ id }) => id);
  const made = await users[0]?.call('POST', '/conversations', 201, { body: { participants } });
  return uuidOf(made?.body.id ?? '');
}

export async function createConversations(users: readonly TestUser[], count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const owner = users[index % users.length];
    const participants = users.slice(0, 2).map(({ id }) => id);
    const made = await owner?.call('POST', '/conversations', 201, { body: { participants } });
    ids.push(uuidOf(made?.body.id ?? ''));
  }
  return ids;
}
