import { setTimeout as pause } from 'node:timers/promises';
import { fraction } from '@parley/stack/testing/fraction';
import * as fc from 'fast-check';
import { KINDS } from '../support/fleet.ts';
import type { Disk } from './disks.ts';
import { forget, type Forgetting } from './forgetting.ts';
import type { Link } from './wires.ts';
import type { World } from './world.ts';

/** A fault in the platform; `name` is a process. */
export type Fault =
  | { kind: 'end'; name: string; signal: 'SIGKILL' | 'SIGTERM' }
  /** The process does not run for some time, as when its machine is short of processors, and then goes on. */
  | { kind: 'freeze'; name: string; ms: number }
  /** Connections are refused, and those that exist end. */
  | { kind: 'cut'; link: Link; name: string; ms: number }
  /** What is sent on the present connections vanishes, in both directions. */
  | { kind: 'swallow'; link: Link; name: string }
  /** What is sent arrives `delayMs` later. */
  | { kind: 'delay'; link: Link; name: string; delayMs: number; ms: number }
  /** The clock of the process jumps, and back again. */
  | { kind: 'jump'; name: string; aheadMs: number; ms: number }
  /** Every process is replaced, one after the other. */
  | { kind: 'roll' }
  /** A file system has no room. */
  | { kind: 'fill'; disk: Disk; ms: number }
  /** NATS comes back with older files, and a kind of process has handled nothing since then. */
  | ({ kind: 'forget' } & Forgetting)
  /** One message from NATS does not arrive. */
  | { kind: 'lose'; name: string }
  | { kind: 'both'; faults: [Fault, Fault] };

const PROCESSES = KINDS.flatMap((kind) => [kind, `${kind}-2`]);
const MAX_FREEZE_MS = 4_000;
const MAX_CUT_MS = 3_000;
const MAX_DELAY_MS = 200;
const MAX_JUMP_MS = 60_000;
/** Of the processes that give changes and packets their times: clocks that differ by more than 5 s are not supported. */
const MAX_JUMP_OF_TIMES_MS = 4_000;
const MAX_FILL_MS = 4_000;
const MAX_FORGOTTEN_MS = 4_000;

const any = fc.constantFrom(...PROCESSES);
const service = fc.constantFrom(...PROCESSES.filter((name) => !name.startsWith('gateway')));
const connection: fc.Arbitrary<{ link: Link; name: string }> = fc.oneof(
  fc.record({ link: fc.constant('NATS' as const), name: any }),
  fc.record({ link: fc.constantFrom('Postgres' as const, 'RPC' as const), name: service }),
);
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
const cut = fc
  .tuple(connection, milliseconds(MAX_CUT_MS))
  .map(([one, ms]) => ({ kind: 'cut' as const, ...one, ms }));
const swallowed = connection.map((one) => ({ kind: 'swallow' as const, ...one }));
const delayed = fc
  .tuple(connection, milliseconds(MAX_DELAY_MS), milliseconds(MAX_FREEZE_MS))
  .map(([one, delayMs, ms]) => ({ kind: 'delay' as const, ...one, delayMs, ms }));
const jumped = fc.tuple(any, fraction, milliseconds(MAX_FREEZE_MS)).map(([name, part, ms]) => {
  const givesTimes = /^(gateway|identity|messaging|announcement)/.test(name);
  const aheadMs = Math.round((2 * part - 1) * (givesTimes ? MAX_JUMP_OF_TIMES_MS : MAX_JUMP_MS));
  return { kind: 'jump' as const, name, aheadMs, ms };
});
const rolled = fc.record({ kind: fc.constant('roll' as const) });
const filled = fc.record({
  kind: fc.constant('fill' as const),
  disk: fc.constantFrom('nats' as const, 'blobs' as const),
  ms: milliseconds(MAX_FILL_MS),
});
const forgotten = fc.record({
  kind: fc.constant('forget' as const),
  name: fc.constantFrom('webhook' as const, 'push' as const),
  ms: milliseconds(MAX_FORGOTTEN_MS),
});
const lost = fc.record({ kind: fc.constant('lose' as const), name: any });
const both: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constant('both' as const),
  faults: fc.tuple(killed, fc.oneof(cut, swallowed)),
});

/** The faults of a campaign: the same for the same seed. */
export function faultsOf(seed: number, count: number): Fault[] {
  const weighed = (weight: number) => (arbitrary: fc.Arbitrary<Fault>) => ({ arbitrary, weight });
  const one = fc.oneof(
    ...[killed].map(weighed(60)),
    ...[cut, swallowed, frozen].map(weighed(40)),
    ...[stopped, lost, delayed, jumped, both, filled, forgotten].map(weighed(20)),
    // It takes as long as fifty others.
    ...[rolled].map(weighed(1)),
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
      world.wires.proxyOf(fault.link, fault.name)?.cut();
      await pause(fault.ms);
      return world.wires.proxyOf(fault.link, fault.name)?.restore();
    case 'swallow':
      return world.wires.proxyOf(fault.link, fault.name)?.swallow();
    case 'delay':
      world.wires.proxyOf(fault.link, fault.name)?.delay(fault.delayMs);
      await pause(fault.ms);
      return world.wires.proxyOf(fault.link, fault.name)?.delay(0);
    case 'jump':
      world.wires.moveClock(fault.name, fault.aheadMs);
      await pause(fault.ms);
      return world.wires.moveClock(fault.name, 0);
    case 'roll':
      for (const name of world.names) await inflict(world, { kind: 'end', name, signal: 'SIGTERM' });
      return;
    case 'fill':
      await world.disks?.fillFor(fault.disk, fault.ms);
      return world.untilNatsAnswers();
    case 'forget':
      return forget(world, fault);
    case 'lose':
      return world.wires.natsProxyOf(fault.name)?.loseNext(/^(?!_INBOX)/);
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
      return `${connectionOf(fault)} is cut for ${fault.ms} ms`;
    case 'swallow':
      return `${connectionOf(fault)} loses everything`;
    case 'delay':
      return `${connectionOf(fault)} is slower by ${fault.delayMs} ms for ${fault.ms} ms`;
    case 'jump':
      return `the clock of ${fault.name} jumps by ${fault.aheadMs} ms for ${fault.ms} ms`;
    case 'roll':
      return 'every process is replaced, one after the other';
    case 'fill':
      return `the disk of ${fault.disk} is full for ${fault.ms} ms`;
    case 'forget':
      return `NATS comes back with its files of ${fault.ms} ms before, and ${fault.name} is cut off from it since`;
    case 'lose':
      return `one message from NATS to ${fault.name} is lost`;
    case 'both':
      return fault.faults.map(describeFault).join(', and at the same time ');
  }
}

function connectionOf({ link, name }: { link: Link; name: string }): string {
  return link === 'RPC'
    ? `the connection of all callers to ${name}`
    : `the connection between ${name} and ${link}`;
}
