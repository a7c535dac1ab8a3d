import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OwnPlatform } from '../../../test/support/own-platform.ts';
import type { NoiseName } from '../../../test/support/noise.ts';
import type { Pace } from '../../../test/support/pace.ts';
import type { Answer, Order } from './worker.ts';

/** Requests of a noise since it began last, by how they were answered. */
export type Counts = { taken: number; refused: number; others: number };

/** A process that makes noise, and counts how its requests were answered. */
export type NoiseProcess = {
  pid: number;
  begin(pace: Pace): Promise<void>;
  end(): Promise<Counts>;
  /** Ends the process. */
  stop(): Promise<void>;
};

/** Resolves when all that the noise needs has been made: its application, users and conversations. */
export async function forkNoise(name: NoiseName, own: OwnPlatform): Promise<NoiseProcess> {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)));
  const ended = once(child, 'exit');
  async function give(order: Order): Promise<Counts> {
    const answered = once(child, 'message');
    child.send(order);
    const [answer] = (await Promise.race([answered, ended.then(() => [{ error: 'it has ended' }])])) as [
      Answer,
    ];
    if ('error' in answer) throw new Error(`the noise of ${name} failed: ${answer.error}`);
    return answer;
  }
  async function stop(): Promise<void> {
    if (child.connected) child.disconnect();
    await ended;
  }
  const { baseUrl, adminToken } = own;
  const platform = { baseUrl, adminToken };
  try {
    await give({ order: 'prepare', name, platform, postgresUrl: own.running.state.postgres_url });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pid: child.pid ?? 0,
    begin: async (pace) => void (await give({ order: 'begin', pace })),
    end: () => give({ order: 'end' }),
    stop,
  };
}
