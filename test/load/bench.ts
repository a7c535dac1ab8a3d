import type { Platform as RunningPlatform } from '@parley/stack/platform';
import { createApp, uuidOf, type TestApp, type TestUser } from '../support/app.ts';
import { measureCpu } from './cpu.ts';
import { quantile, type Figures } from './stats.ts';

/** What scenarios work with. */
export type Bench = {
  running: RunningPlatform;
  app: TestApp;
  /** Factor on the number of items; 1 is the usual length. */
  scale: number;
  measure(
    name: string,
    items: number,
    work: () => Promise<readonly number[]>,
    note?: string,
  ): Promise<Figures>;
};

export const createBench = async (running: RunningPlatform, scale: number): Promise<Bench> => ({
  running,
  scale,
  app: await createApp({ baseUrl: running.baseUrl, adminToken: running.state.admin_token }, 'bench'),
  async measure(name, items, work, note) {
    const cpu = measureCpu(running.state);
    const began = performance.now();
    const times = await work();
    const seconds = (performance.now() - began) / 1000;
    return {
      name,
      count: items,
      seconds,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      cpu: cpu(items),
      ...(note && { note }),
    };
  },
});

export const createConversations = async (users: readonly TestUser[], count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const owner = users[index % users.length];
    const participants = users.slice(0, 2).map(({ id }) => id);
    const made = await owner?.call('POST', '/conversations', 201, { body: { participants } });
    ids.push(uuidOf(made?.body.id ?? ''));
  }
  return ids;
};
