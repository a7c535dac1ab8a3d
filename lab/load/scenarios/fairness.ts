import { createApp, textPart, uuidOf } from '../../../test/support/app.ts';
import type { NoiseName } from '../../../test/support/noise.ts';
import { ownPlatform, type OwnPlatform } from '../../../test/support/own-platform.ts';
import type { Pace } from '../../../test/support/pace.ts';
import type { Bench } from '../bench.ts';
import { createRest } from '../client.ts';
import { measureCpu, untilIdle } from '../cpu.ts';
import { forkNoise, type Counts, type NoiseProcess } from '../noise/client.ts';
import { drive, quantile, type Figures } from '../stats.ts';

const BODY = JSON.stringify({ parts: [textPart('meanwhile')] });
/** Milliseconds between two sends: the quiet application is far below every limit. */
const PAUSE_MS = 15;
const ROUNDS = 5;

/** Rates of a client that exceeds every limit and does not wait when it is refused. */
const PACES: Record<NoiseName, Pace> = {
  replays: { burst: 400, perSecond: 100 },
  patches: { burst: 0, perSecond: 100 },
  lists: { burst: 0, perSecond: 100 },
  announcements: { burst: 80, perSecond: 10 },
  exports: { burst: 20, perSecond: 10 },
  webhooks: { burst: 0, perSecond: 100 },
  erasures: { burst: 0, perSecond: 100 },
};

/** A scenario for each kind of noise, by name. */
export const fairness: Record<string, (bench: Bench) => Promise<Figures[]>> = Object.fromEntries(
  (Object.keys(PACES) as NoiseName[]).map((name) => [
    `fairness-${name}`,
    (bench: Bench) => besideNoise(bench, name),
  ]),
);

/**
 * Sends of one application, one at a time: alone, and beside one kind of noise that another application makes from a
 * process of its own, within the limits of a deployment. Both take turns, so that the machine is the same for both, and
 * what is measured alone begins when all work that the noise has left is done. The note has the factor between the p99
 * of both.
 */
async function besideNoise(bench: Bench, name: NoiseName): Promise<Figures[]> {
  const own = await ownPlatform({ env: { '*': { PARLEY_RATE_LIMIT_FACTOR: '1' } }, durable: true });
  try {
    const noise = await forkNoise(name, own);
    try {
      const count = Math.max(20, Math.round(200 * bench.scale));
      return await measure({ name, own, noise, count, send: await createQuiet(own) });
    } finally {
      await noise.stop();
    }
  } finally {
    await own.stop();
  }
}

/** `count` is that of the sends of a round. */
type Setting = {
  name: NoiseName;
  own: OwnPlatform;
  noise: NoiseProcess;
  count: number;
  send: () => Promise<string>;
};

async function measure({ name, own, noise, count, send }: Setting): Promise<Figures[]> {
  const processes = [...own.running.state.processes, { name: 'noise', pid: noise.pid }];
  const alone = createSamples(processes);
  const beside = createSamples(processes);
  const total: Counts = { taken: 0, refused: 0, others: 0 };
  await drive(100, 1, send);
  for (let round = 0; round < ROUNDS; round++) {
    await untilIdle({ processes });
    await alone.add(() => drivePaced(count, send));
    await noise.begin(PACES[name]);
    await beside.add(() => drivePaced(count, send));
    const { taken, refused, others } = await noise.end();
    total.taken += taken;
    total.refused += refused;
    total.others += others;
  }
  const [before, after] = [alone.figures(`sends before ${name}`), beside.figures(`sends beside ${name}`)];
  const factor = (after.p99 / before.p99).toFixed(1);
  const answers = `${total.taken} done, ${total.refused} refused, ${total.others} other`;
  return [before, { ...after, note: `p99 ${factor} times its own alone; the noise: ${answers}` }];
}

/** Gathers the times and the processor time of several rounds in one line. */
function createSamples(processes: Parameters<typeof measureCpu>[0]['processes']) {
  const times: number[] = [];
  const micros: Record<string, number> = {};
  let seconds = 0;
  return {
    async add(work: () => Promise<number[]>): Promise<void> {
      const cpu = measureCpu({ processes });
      const began = performance.now();
      times.push(...(await work()));
      seconds += (performance.now() - began) / 1_000;
      for (const [name, used] of Object.entries(cpu(1))) micros[name] = (micros[name] ?? 0) + used;
    },
    figures(name: string): Figures {
      times.sort((a, b) => a - b);
      const cpu = Object.fromEntries(Object.entries(micros).map(([of, used]) => [of, used / times.length]));
      const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
      return { name, count: times.length, seconds, p50, p99, cpu };
    },
  };
}

async function createQuiet(own: OwnPlatform): Promise<() => Promise<string>> {
  const app = await createApp(own, 'quiet');
  const [ada] = [await app.login('ada'), await app.login('bob')];
  const made = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  const rest = createRest(own.baseUrl, 1);
  const path = `/conversations/${uuidOf(made.body.id)}/messages`;
  return () => rest('POST', path, `Svc session-token="${ada.token}"`, BODY);
}

async function drivePaced(count: number, send: () => Promise<string>): Promise<number[]> {
  const times: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    const began = performance.now();
    await send();
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return times;
}
