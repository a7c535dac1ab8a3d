import { SEAMS, type Direction, type Seam } from '@parley/testing';
import { fraction } from '@parley/testing/fraction';
import * as fc from 'fast-check';
import { KINDS } from '../../test/support/fleet.ts';
import { DISKS, type Disk } from './disks.ts';
import type { Forgetting } from './forgetting.ts';
import type { Connection } from './wires.ts';

/** The release of which a process is: the last one before this checkout, or this. */
export type ReleaseName = 'last' | 'this';

/** A fault in the platform; `name` is a process. `next`: of which release the process is afterwards; default: as before. */
export type Fault =
  | { kind: 'end'; name: string; signal: 'SIGKILL' | 'SIGTERM'; next?: ReleaseName }
  /** The process does not run for some time, as when its machine is short of processors, and then goes on. */
  | { kind: 'freeze'; name: string; ms: number }
  /** Connections are refused, and those that exist end. */
  | { kind: 'cut'; on: Connection; ms: number }
  /** A process reaches no replica of a service. */
  | { kind: 'part'; caller: string; service: string; ms: number }
  /** Bytes sent on the present connections vanish. With one direction, only one side still has an open connection. */
  | { kind: 'swallow'; on: Connection; direction: Direction }
  /** Bytes arrive `delayMs` later. */
  | { kind: 'delay'; on: Connection; delayMs: number; ms: number }
  /** A connection of messaging to Postgres is reset where a transaction ends, on a conversation that falls silent then. */
  | { kind: 'reset'; seam: Seam; skip: number }
  /** Commits wait for a standby that is away, until they are cancelled or the fault is over. */
  | { kind: 'wait'; ms: number }
  /** The clocks of all replicas, or of one process, jump, and back again. */
  | { kind: 'jump'; names: readonly string[]; aheadMs: number; ms: number }
  /** The process is killed, and starts with a clock that is wrong for some time. */
  | { kind: 'astray'; name: string; aheadMs: number; ms: number }
  /** Every process is replaced, one after the other. */
  | { kind: 'roll' }
  /** A file system has no room. */
  | { kind: 'fill'; disk: Disk; ms: number }
  /** NATS comes back with older files, and a kind of process has handled nothing since then. */
  | ({ kind: 'forget' } & Forgetting)
  /** One message from NATS does not arrive. */
  | { kind: 'lose'; name: string }
  | { kind: 'both'; faults: [Fault, Fault] };

/** The processes that each process calls. */
export const CALLS: Readonly<Record<string, readonly string[]>> = {
  gateway: KINDS.filter((kind) => kind !== 'gateway'),
  messaging: ['identity'],
  announcement: ['identity'],
  content: ['messaging'],
  export: ['messaging'],
  webhook: ['messaging'],
  push: ['identity', 'messaging'],
};

const REPLICAS = ['', '-2'];
const replicasOf = (kind: string) => REPLICAS.map((replica) => kind + replica);
const PROCESSES = KINDS.flatMap(replicasOf);
const PAIRS = Object.entries(CALLS).flatMap(([caller, called]) =>
  replicasOf(caller).flatMap((one) => called.map((service) => ({ caller: one, service }))),
);
const MAX_FREEZE_MS = 4_000;
const MAX_CUT_MS = 3_000;
/** A time longer than a gateway may go without identity before its sockets must not act. */
const MAX_PART_MS = 8_000;
const MAX_DELAY_MS = 200;
/** A time longer than any log is kept. */
const MAX_JUMP_MS = 40 * 86_400_000;
const MAX_FILL_MS = 4_000;
const MAX_FORGOTTEN_MS = 4_000;
/** A time longer than anything waits for a transaction. */
const MAX_WAIT_MS = 8_000;
/** Statements that one message on a new conversation takes, its creation and its receipt among them. */
const MAX_SKIP = 6;

const any = fc.constantFrom(...PROCESSES);
const service = fc.constantFrom(...PROCESSES.filter((name) => !name.startsWith('gateway')));
const pair = fc.constantFrom(...PAIRS);
const connection: fc.Arbitrary<Connection> = fc.oneof(
  fc.record({ link: fc.constant('NATS' as const), name: any }),
  fc.record({ link: fc.constantFrom('Postgres' as const, 'RPC' as const), name: service }),
  fc
    .tuple(pair, fc.constantFrom(...REPLICAS))
    .map(([{ caller, service: name }, replica]) => ({ link: 'RPC' as const, name: name + replica, caller })),
);
function milliseconds(max: number) {
  return fc.integer({ min: 1, max });
}
/** Differences of every magnitude between a second and the longest one, ahead and behind. */
const aheadMs = fc
  .tuple(fraction, fc.boolean())
  .map(([part, isBehind]) => Math.round(1_000 * (MAX_JUMP_MS / 1_000) ** part) * (isBehind ? -1 : 1));

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
const cut = fc.record({ kind: fc.constant('cut' as const), on: connection, ms: milliseconds(MAX_CUT_MS) });
// Who may act is what a gateway hears from identity.
const sessions = fc.record({
  caller: fc.constantFrom(...replicasOf('gateway')),
  service: fc.constant('identity'),
});
const parted = fc
  .tuple(fc.oneof(pair, sessions), milliseconds(MAX_PART_MS))
  .map(([one, ms]) => ({ kind: 'part' as const, ...one, ms }));
const swallowed = fc.record({
  kind: fc.constant('swallow' as const),
  on: connection,
  direction: fc.constantFrom('both' as const, 'toServer' as const, 'toClient' as const),
});
const delayed = fc.record({
  kind: fc.constant('delay' as const),
  on: connection,
  delayMs: milliseconds(MAX_DELAY_MS),
  ms: milliseconds(MAX_FREEZE_MS),
});
const reset = fc.record({
  kind: fc.constant('reset' as const),
  seam: fc.constantFrom(...SEAMS),
  skip: fc.integer({ min: 0, max: MAX_SKIP }),
});
const waiting = fc.record({ kind: fc.constant('wait' as const), ms: milliseconds(MAX_WAIT_MS) });
const jumped = fc.record({
  kind: fc.constant('jump' as const),
  names: fc.oneof(
    any.map((name) => [name]),
    fc.constantFrom(...KINDS).map(replicasOf),
  ),
  ...{ aheadMs, ms: milliseconds(MAX_FREEZE_MS) },
});
const astray = fc.record({
  kind: fc.constant('astray' as const),
  ...{ name: any, aheadMs, ms: milliseconds(MAX_FREEZE_MS) },
});
const rolled = fc.record({ kind: fc.constant('roll' as const) });
const filled = fc.record({
  kind: fc.constant('fill' as const),
  disk: fc.constantFrom(...DISKS),
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

/** How often a kind of fault is chosen, in relation to the others. */
const WEIGHTS: readonly (readonly [number, Fault['kind'], fc.Arbitrary<Fault>])[] = [
  [60, 'end', killed],
  [20, 'end', stopped],
  [60, 'swallow', swallowed],
  [60, 'reset', reset],
  [40, 'cut', cut],
  [40, 'freeze', frozen],
  [20, 'lose', lost],
  [20, 'delay', delayed],
  [20, 'part', parted],
  [20, 'jump', jumped],
  [20, 'astray', astray],
  [20, 'both', both],
  [20, 'fill', filled],
  [20, 'forget', forgotten],
  [10, 'wait', waiting],
  // It takes as long as fifty others.
  [1, 'roll', rolled],
];

/** All that a campaign can be made of. */
export const FAULT_KINDS: readonly Fault['kind'][] = [...new Set(WEIGHTS.map(([, kind]) => kind))];

/** The faults of a campaign: the same for the same seed and `kinds`, at least one. */
export function faultsOf(seed: number, count: number, kinds = FAULT_KINDS): Fault[] {
  const wanted = WEIGHTS.filter(([, kind]) => kinds.includes(kind));
  const one = fc.oneof(...wanted.map(([weight, , arbitrary]) => ({ weight, arbitrary })));
  return fc.sample(one, { seed, numRuns: count });
}

/** Faults under which processes become those of another release and back, again and again; the same for the same seed. */
export function mixedFaultsOf(seed: number, count: number): Fault[] {
  const swapped = fc.record({
    ...{ kind: fc.constant('end' as const), name: any },
    signal: fc.constantFrom('SIGTERM' as const, 'SIGTERM' as const, 'SIGKILL' as const),
    next: fc.constantFrom('last' as const, 'this' as const),
  });
  return fc.sample(swapped, { seed, numRuns: count });
}

export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'end':
      return `${fault.signal} to ${fault.name}${fault.next ? `, which is of ${fault.next === 'last' ? 'the last' : 'this'} release afterwards` : ''}`;
    case 'freeze':
      return `${fault.name} stands still for ${fault.ms} ms`;
    case 'cut':
      return `${nameOf(fault.on)} is cut for ${fault.ms} ms`;
    case 'part':
      return `${fault.caller} reaches no ${fault.service} for ${fault.ms} ms`;
    case 'swallow':
      return `${nameOf(fault.on)} loses everything${WHITHER[fault.direction]}`;
    case 'delay':
      return `${nameOf(fault.on)} is slower by ${fault.delayMs} ms for ${fault.ms} ms`;
    case 'reset':
      return `a connection to Postgres ends in transaction ${fault.skip + 1} of a conversation: ${fault.seam}`;
    case 'wait':
      return `commits wait for a standby for ${fault.ms} ms`;
    case 'jump':
      return `the clock of ${fault.names.join(' and ')} jumps by ${fault.aheadMs} ms for ${fault.ms} ms`;
    case 'astray':
      return `${fault.name} starts with a clock that is wrong by ${fault.aheadMs} ms for ${fault.ms} ms`;
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

const WHITHER: Readonly<Record<Direction, string>> = {
  both: '',
  toServer: ' on its way there',
  toClient: ' on its way back',
};

function nameOf(on: Connection): string {
  if (on.link !== 'RPC') return `the connection between ${on.name} and ${on.link}`;
  return `the connection of ${on.caller ?? 'all callers'} to ${on.name}`;
}
