import { createApp, textPart, uuidOf } from '../../support/app.ts';
import { noises, startNoise } from '../../support/noise.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import type { Bench } from '../bench.ts';
import { createRest } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const body = JSON.stringify({ parts: [textPart('meanwhile')] });
/** Milliseconds between two sends: the quiet application is far below every limit. */
const pauseMs = 15;

/**
 * Sends of one application, one at a time: alone, and beside each kind of noise that another application makes without
 * end, within the limits of a deployment. The note has the factor between the p99 of both.
 */
export const fairness = async (bench: Bench): Promise<Figures[]> => {
  const own = await ownPlatform({ env: { '*': { PARLEY_RATE_LIMIT_FACTOR: '1' } }, durable: true });
  try {
    const count = Math.max(100, Math.round(1_000 * Math.min(1, bench.scale)));
    const figures: Figures[] = [];
    for (const name of Object.keys(noises) as (keyof typeof noises)[]) {
      figures.push(...(await besideNoise(bench, own, { name, count })));
    }
    return figures;
  } finally {
    await own.stop();
  }
};

type Round = { name: keyof typeof noises; count: number };

/** A line alone and a line beside the noise, one right after the other: the machine is the same for both. */
const besideNoise = async (bench: Bench, own: OwnPlatform, { name, count }: Round): Promise<Figures[]> => {
  const send = await createQuiet(own);
  const noisy = await createApp(own, 'noisy');
  const work = await noises[name]({ app: noisy, postgresUrl: own.running.state.postgres_url });
  await drive(100, 1, send);
  const alone = await bench.measure(`sends before ${name}`, count, () => drivePaced(count, send));
  const noise = startNoise(work);
  try {
    while (noise.refused === 0) await send();
    const beside = await bench.measure(`sends beside ${name}`, count, () => drivePaced(count, send));
    const factor = (beside.p99 / alone.p99).toFixed(1);
    const note = `p99 ${factor} times its own alone; the noise: ${noise.taken} taken, ${noise.refused} refused`;
    return [alone, { ...beside, note }];
  } finally {
    await noise.stop();
  }
};

const createQuiet = async (own: OwnPlatform): Promise<() => Promise<string>> => {
  const app = await createApp(own, 'quiet');
  const [ada] = [await app.login('ada'), await app.login('bob')];
  const made = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  const rest = createRest(own.baseUrl, 1);
  const path = `/conversations/${uuidOf(made.body.id)}/messages`;
  return () => rest('POST', path, `Svc session-token="${ada.token}"`, body);
};

const drivePaced = async (count: number, send: () => Promise<string>): Promise<number[]> => {
  const times: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    const began = performance.now();
    await send();
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return times.sort((a, b) => a - b);
};
