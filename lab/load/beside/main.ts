import { availableParallelism } from 'node:os';
import type { Shape } from '../scenarios/shapes.ts';
import { readArguments, type Arguments } from './arguments.ts';
import { comparisonTable, titleOf, type Sample } from './comparison.ts';
import { obtainEjabberd } from './ejabberd/packages.ts';
import { findProgram, type EjabberdProgram } from './ejabberd/program.ts';
import { createEjabberdSystem } from './ejabberd/system.ts';
import { measureShape } from './measure.ts';
import { createParleySystem } from './parley.ts';
import type { System, SystemName } from './system.ts';

/** How long a system's turn may take in all. */
const LONGEST_TURN_MS = 30 * 60_000;

export type Surroundings = {
  /** Factor on the number of messages; 1 is the usual length. */
  scale: number;
  /** Folder with the unpacked packages of ejabberd; undefined: they are downloaded. */
  ejabberd: string | undefined;
};

/**
 * Measures Parley and ejabberd in turn, each started afresh, and prints a table of both. Resolves with the exit code. An interrupted
 * comparison ends what it started and leaves no data.
 */
export async function compareWithEjabberd(given: readonly string[], around: Surroundings): Promise<number> {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => (interrupt.signal.aborted ? process.exit(1) : interrupt.abort()));
  try {
    const options = readArguments(given);
    const program = findProgram(await obtainEjabberd(around.ejabberd, interrupt.signal));
    process.stdout.write(await compare(options, program, { ...around, signal: interrupt.signal }));
    return 0;
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(`${interrupt.signal.aborted ? 'interrupted' : message}\n`);
    return 1;
  }
}

type Given = Surroundings & { signal: AbortSignal };
type Samples = (Sample | undefined)[];

async function compare(
  { shapes, rounds, subprotocol, acknowledges }: Arguments,
  program: EjabberdProgram,
  { scale, signal }: Given,
): Promise<string> {
  const start: Record<SystemName, () => Promise<System>> = {
    parley: () => createParleySystem({ scale, subprotocol }, signal),
    ejabberd: () => createEjabberdSystem(program, { scale, acknowledges }),
  };
  const measured: Record<SystemName, Samples[]> = { parley: [], ejabberd: [] };
  for (let round = 0; round < rounds; round++) {
    const order: SystemName[] = round % 2 === 0 ? ['parley', 'ejabberd'] : ['ejabberd', 'parley'];
    for (const name of order) {
      process.stderr.write(`round ${round + 1} of ${rounds}: ${name} …\n`);
      measured[name].push(await measureSystem(start[name], { shapes, scale, signal }));
    }
  }
  const compared = shapes.map((shape, index) => ({
    shape,
    parley: measured.parley.map((samples) => samples[index]),
    ejabberd: measured.ejabberd.map((samples) => samples[index]),
  }));
  const conditions = `Parley with ${subprotocol} beside ejabberd ${program.version} ${acknowledges ? 'with' : 'without'} acknowledgements; rounds: ${rounds}, processors: ${availableParallelism()}, scale: ${scale}`;
  return `${conditions}\n\n${comparisonTable(compared)}\n`;
}

/** Has a sample for each shape; after one that was not finished in time there are no further ones. */
async function measureSystem(
  start: () => Promise<System>,
  { shapes, scale, signal }: { shapes: readonly Shape[]; scale: number; signal: AbortSignal },
): Promise<Samples> {
  signal.throwIfAborted();
  const system = await start();
  const ended = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_TURN_MS)]);
  const failed = Promise.race([system.failed, rejectedBy(ended)]);
  failed.catch(() => undefined);
  const samples: Samples = [];
  try {
    await Promise.race([system.warmUp(), failed]);
    for (const shape of shapes) {
      process.stderr.write(`  ${titleOf(shape)} …\n`);
      const sample = await measureShape({ ...system, failed }, { shape, scale });
      samples.push(sample);
      if (!sample) break;
    }
  } finally {
    await system.stop();
  }
  return samples;
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
