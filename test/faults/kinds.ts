import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { KINDS } from '../support/fleet.ts';
import type { World } from './world.ts';

/** A fault in the platform; `name` is a process. */
export type Fault =
  | { kind: 'end'; name: string; signal: 'SIGKILL' | 'SIGTERM' }
  /** The process does not run for some time, as when its machine is short of processors, and then goes on. */
  | { kind: 'freeze'; name: string; ms: number }
  /** Connections to NATS are refused, and those that exist end. */
  | { kind: 'cut'; name: string; ms: number }
  /** What is sent on the connection to NATS vanishes, in both directions. */
  | { kind: 'swallow'; name: string }
  /** One message from NATS does not arrive. */
  | { kind: 'lose'; name: string }
  | { kind: 'both'; faults: [Fault, Fault] };

const PROCESSES = KINDS.flatMap((kind) => [kind, `${kind}-2`]);
const MAX_FREEZE_MS = 4_000;
const MAX_CUT_MS = 3_000;

const any = fc.constantFrom(...PROCESSES);
function milliseconds(max: number) {
  return fc.integer({ min: 1, max });
}

const killed = fc.record({
  kind: fc.constant('end' as const),
  name: fc.constantFrom(...PROCESSES, 'postgres', 'nats'),
  signal: fc.constant('SIGKILL' as const),
});
const stopped = fc.record({
  kind: fc.constant('end' as const),
  name: any,
  signal: fc.constant('SIGTERM' as const),
});
const frozen = fc.record({
  kind: fc.constant('freeze' as const),
  name: fc.constantFrom(...PROCESSES, 'nats'),
  ms: milliseconds(MAX_FREEZE_MS),
});
const cut = fc.record({ kind: fc.constant('cut' as const), name: any, ms: milliseconds(MAX_CUT_MS) });
const swallowed = fc.record({ kind: fc.constant('swallow' as const), name: any });
const lost = fc.record({ kind: fc.constant('lose' as const), name: any });
const both: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constant('both' as const),
  faults: fc.tuple(killed, fc.oneof(cut, swallowed)),
});

/** The faults of a campaign: the same for the same seed. */
export function faultsOf(seed: number, count: number): Fault[] {
  const one = fc.oneof(
    { arbitrary: killed, weight: 3 },
    { arbitrary: stopped, weight: 1 },
    { arbitrary: frozen, weight: 2 },
    ...[cut, swallowed, lost, both].map((arbitrary: fc.Arbitrary<Fault>) => ({ arbitrary, weight: 1 })),
  );
  return fc.sample(one, { seed, numRuns: count });
}

/** Resolves when the fault is over, and the process that ended, if one did, has been replaced. */
export async function inflict(world: World, fault: Fault): Promise<void> {
  switch (fault.kind) {
    case 'end': {
      const before = world.pidOf(fault.name);
      world.signal(fault.name, fault.signal);
      return world.untilReplaced(fault.name, before);
    }
    case 'freeze':
      world.signal(fault.name, 'SIGSTOP');
      await pause(fault.ms);
      return world.signal(fault.name, 'SIGCONT');
    case 'cut':
      world.proxies.get(fault.name)?.cut();
      await pause(fault.ms);
      return world.proxies.get(fault.name)?.restore();
    case 'swallow':
      return world.proxies.get(fault.name)?.swallow();
    case 'lose':
      return world.proxies.get(fault.name)?.loseNext(/^(?!_INBOX)/);
    case 'both':
      await Promise.all(fault.faults.map((one) => inflict(world, one)));
  }
}

export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'end':
      return `${fault.signal} to ${fault.name}`;
    case 'freeze':
      return `${fault.name} stands still for ${fault.ms} ms`;
    case 'cut':
      return `${fault.name} is cut off from NATS for ${fault.ms} ms`;
    case 'swallow':
      return `the connection between ${fault.name} and NATS loses everything`;
    case 'lose':
      return `one message from NATS to ${fault.name} is lost`;
    case 'both':
      return fault.faults.map(describeFault).join(', and at the same time ');
  }
}
