import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { forget } from './forgetting.ts';
import type { Fault } from './kinds.ts';
import { SILENT } from './silence.ts';
import type { World } from './world.ts';

type Of<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

/** A time longer than a round's clients take to begin another silent conversation. */
const RESET_WITHIN_MS = 4_000;
const LOOK_EVERY_MS = 50;

/** Resolves when the fault is over, and the process that ended, if one did, has been replaced. */
export async function inflict(world: World, fault: Fault): Promise<void> {
  switch (fault.kind) {
    case 'end':
      return end(world, fault);
    case 'freeze':
      world.signal(fault.name, 'SIGSTOP');
      await pause(fault.ms);
      return world.signal(fault.name, 'SIGCONT');
    case 'cut':
    case 'part':
      return cut(world, fault);
    case 'swallow':
      return world.wires.proxiesOf(fault.on).forEach((proxy) => proxy.swallow(fault.direction));
    case 'delay':
      return delay(world, fault);
    case 'reset':
      return reset(world, fault);
    case 'wait':
      await waitForStandby(world, 'absent');
      await pause(fault.ms);
      return waitForStandby(world, '');
    case 'jump':
      return jump(world, fault);
    case 'astray':
      return goAstray(world, fault);
    case 'roll':
      for (const name of world.names) await end(world, { kind: 'end', name, signal: 'SIGTERM' });
      return;
    case 'fill':
      await world.disks?.fillFor(fault.disk, fault.ms);
      return world.untilInfraAnswers();
    case 'forget':
      return forget(world, fault);
    case 'lose':
      return world.wires.natsProxyOf(fault.name)?.loseNext(/^(?!_INBOX)/);
    case 'both':
      await Promise.all(fault.faults.map((one) => inflict(world, one)));
  }
}

async function end(world: World, { name, signal, next }: Of<'end'>): Promise<void> {
  const before = world.pidOf(name);
  if (next) world.useRelease?.(name, next);
  world.signal(name, signal);
  await world.untilReplaced(name, before);
}

async function cut({ wires }: World, fault: Of<'cut'> | Of<'part'>): Promise<void> {
  const proxies =
    fault.kind === 'cut'
      ? wires.proxiesOf(fault.on)
      : ['', '-2'].flatMap((replica) =>
          wires.proxiesOf({ link: 'RPC', name: fault.service + replica, caller: fault.caller }),
        );
  for (const proxy of proxies) proxy.cut();
  await pause(fault.ms);
  for (const proxy of proxies) proxy.restore();
}

async function delay({ wires }: World, { on, delayMs, ms }: Of<'delay'>): Promise<void> {
  const proxies = wires.proxiesOf(on);
  for (const proxy of proxies) proxy.delay(delayMs);
  await pause(ms);
  for (const proxy of proxies) proxy.delay(0);
}

/** Resolves when a connection was reset, or none had so many transactions. */
async function reset({ wires }: World, { seam, skip }: Of<'reset'>): Promise<void> {
  const proxies = ['messaging', 'messaging-2'].flatMap((name) => wires.postgresProxyOf(name) ?? []);
  const resets = () => proxies.reduce((sum, proxy) => sum + proxy.resets, 0);
  const before = resets();
  for (const proxy of proxies) proxy.resetAt(seam, SILENT, skip);
  const until = performance.now() + RESET_WITHIN_MS;
  while (resets() === before && performance.now() < until) await pause(LOOK_EVERY_MS);
  for (const proxy of proxies) proxy.disarm();
}

async function jump({ wires }: World, { names, aheadMs, ms }: Of<'jump'>): Promise<void> {
  for (const name of names) wires.moveClock(name, aheadMs);
  await pause(ms);
  for (const name of names) wires.moveClock(name, 0);
}

async function goAstray(world: World, { name, aheadMs, ms }: Of<'astray'>): Promise<void> {
  world.wires.moveClock(name, aheadMs);
  try {
    await end(world, { kind: 'end', name, signal: 'SIGKILL' });
    await pause(ms);
  } finally {
    world.wires.moveClock(name, 0);
  }
}

/** The name of a standby that every commit waits for; none: commits wait for nobody. */
async function waitForStandby({ postgresUrl }: World, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(`alter system set synchronous_standby_names = '${name}'`);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}
