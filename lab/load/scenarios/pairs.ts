import type { Bench } from '../bench.ts';
import type { Figures } from '../stats.ts';
import { connectGroup, connectPairs } from './connect.ts';
import { driveDeliveries, type Crowd } from './deliveries.ts';
import { GROUPS, lean, PAIRS, totalOf, warmUpOf, type Shape } from './shapes.ts';

type Scenarios = Record<string, (bench: Bench) => Promise<Figures[]>>;

/** Users who write to each other in pairs, each on a socket of their own: messages from send to recipient. */
export const pairs: Scenarios = Object.fromEntries(
  PAIRS.map((shape) => [shape.name, (bench: Bench) => measurePairs(bench, shape)]),
);

/** Pairs and groups with lean packets. docs/protocol/lean-packets.md */
export const leanCrowds: Scenarios = Object.fromEntries([
  ...PAIRS.map(lean).map((shape) => [shape.name, (bench: Bench) => measurePairs(bench, shape)]),
  ...GROUPS.map(lean).map((shape) => [shape.name, (bench: Bench) => measureGroup(bench, shape)]),
]) as Scenarios;

/** One conversation whose members are all connected: messages from send to the last member. */
export const crowds: Scenarios = Object.fromEntries(
  GROUPS.map((shape) => [shape.name, (bench: Bench) => measureGroup(bench, shape)]),
);

async function measurePairs(bench: Bench, shape: Shape): Promise<Figures[]> {
  const { users: count, outstanding } = shape;
  const name = `${count} ${count === 1 ? 'pair' : 'pairs'}, ${outstanding} outstanding each, to the recipient${formOf(shape)}`;
  const figures = await run(bench, { name, shape, crowd: await connectPairs(bench, shape) });
  return [{ ...figures, note: `${figures.bytes} bytes to both for a message` }];
}

async function measureGroup(bench: Bench, shape: Shape): Promise<Figures[]> {
  const { users: count, outstanding } = shape;
  const name = `group of ${count}, ${outstanding} outstanding, to the last member${formOf(shape)}`;
  const figures = await run(bench, { name, shape, crowd: await connectGroup(bench, shape) });
  const deliveries = Math.round((figures.count * count) / figures.seconds);
  const bytes = Math.round(figures.bytes / count);
  return [{ ...figures, note: `${deliveries.toLocaleString('en')} deliveries/s of ${bytes} bytes` }];
}

async function run(
  bench: Bench,
  { name, shape, crowd }: { name: string; shape: Shape; crowd: Crowd },
): Promise<Figures & { bytes: number }> {
  const { outstanding } = shape;
  const total = totalOf(shape, bench.scale);
  await driveDeliveries(crowd.channels, { total: warmUpOf(total), outstanding });
  const before = crowd.bytes();
  const figures = await bench.measure(name, total, () =>
    driveDeliveries(crowd.channels, { total, outstanding }),
  );
  const bytes = Math.round((crowd.bytes() - before) / total);
  crowd.close();
  return { ...figures, bytes };
}

function formOf({ subprotocol }: Shape): string {
  return subprotocol === 'svc-4.0' ? ', lean' : '';
}
