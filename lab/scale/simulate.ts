import * as given from './assumptions.ts';
import { PARTS, type Costs, type Part, type Work } from './costs.ts';
import { placeShards } from './gateways.ts';

/** `zoneFails`: a third of the gateways and of messaging is lost in the middle, and with them the primary of the database. */
export type Scenario = { name: string; hasBurst: boolean; zoneFails: boolean };

export const SCENARIOS: readonly Scenario[] = [
  { name: 'busiest hour', hasBurst: false, zoneFails: false },
  { name: 'burst', hasBurst: true, zoneFails: false },
  { name: 'a zone fails', hasBurst: false, zoneFails: true },
  { name: 'a zone fails at the start of a burst', hasBurst: true, zoneFails: true },
];

export type Sizes = { gateways: number; messaging: number };

/** `busy`: the largest share of its cores that a part was busy in a second, of gateways the fullest one's. Waits in seconds. */
export type Outcome = {
  fullestSockets: number;
  busy: Work;
  longestWait: number;
  wholeAfter: number;
};

const LENGTH_S = 900;
const EVENT_S = 120;

/** The least number of each, in multiples of the zones, that has room for the busiest hour without one zone. */
export function planForHour(costs: Costs): Sizes {
  return plan(costs, given.MESSAGES_A_SECOND / given.PLANNED_SHARE);
}

/** Plans for a burst, and so that no gateway has more sockets than it can hold, however unevenly hashes place the shards. */
export function planForBurst(costs: Costs): Sizes {
  const { gateways, messaging } = plan(costs, given.MESSAGES_A_SECOND * given.BURST);
  let enough = gateways;
  while (placement(enough).fullestAfter * given.SOCKETS > given.MAX_SOCKETS_A_GATEWAY) enough += given.ZONES;
  return { gateways: enough, messaging };
}

function plan(costs: Costs, messages: number): Sizes {
  const left = (given.ZONES - 1) / given.ZONES;
  const inZones = (needed: number) => Math.ceil(needed / left / given.ZONES) * given.ZONES;
  const gateways = Math.max(given.SOCKETS / given.SOCKETS_A_GATEWAY, messageWork(costs, 'gateway', messages));
  return { gateways: inZones(gateways), messaging: inZones(messageWork(costs, 'messaging', messages)) };
}

/** Goes through fifteen minutes second by second; work that a part cannot do in a second waits for the next one. */
export function simulate(costs: Costs, sizes: Sizes, scenario: Scenario): Outcome {
  const waiting = Object.fromEntries(PARTS.map((part) => [part, 0])) as Work;
  const outcome: Outcome = {
    fullestSockets: 0,
    busy: Object.fromEntries(PARTS.map((part) => [part, 0])) as Work,
    longestWait: 0,
    wholeAfter: 0,
  };
  const shards = placement(sizes.gateways);
  for (let second = 0; second < LENGTH_S; second++) {
    const world = worldAt({ second, sizes, scenario, shards });
    outcome.fullestSockets = Math.max(outcome.fullestSockets, world.fullestShare * given.SOCKETS);
    for (const part of PARTS) {
      const wanted = waiting[part] + arriving(costs, part, world);
      const done = Math.min(wanted, world.cores[part]);
      waiting[part] = wanted - done;
      if (world.cores[part] > 0) outcome.busy[part] = Math.max(outcome.busy[part], done / world.cores[part]);
      const usual = part === 'postgres' ? given.POSTGRES_CORES : world.cores[part];
      outcome.longestWait = Math.max(outcome.longestWait, waiting[part] / usual, world.outage);
      if (waiting[part] > 0) outcome.wholeAfter = second + 1 - EVENT_S;
    }
  }
  return outcome;
}

type World = {
  messages: number;
  reconnects: number;
  /** The share of the fullest gateway in all shards, and so in all sockets; `requestShare`: in all requests. */
  fullestShare: number;
  requestShare: number;
  cores: Work;
  /** Seconds since the database is gone, 0 while it is there. */
  outage: number;
};

/** Shares of the shards: of the fullest gateway before and after the loss of a zone, and of all gateways of that zone. */
type Placement = { fullest: number; fullestAfter: number; lost: number };

function placement(gateways: number): Placement {
  const names = Array.from({ length: gateways }, (_, index) => `gateway-${index}`);
  const left = names.filter((_, index) => index % given.ZONES !== 0);
  const before = placeShards(names, given.LIVE_SHARDS);
  const after = placeShards(left, given.LIVE_SHARDS);
  const kept = left.reduce((sum, name) => sum + (before.get(name) ?? 0), 0);
  return {
    fullest: Math.max(...before.values()) / given.LIVE_SHARDS,
    fullestAfter: Math.max(...after.values()) / given.LIVE_SHARDS,
    lost: 1 - kept / given.LIVE_SHARDS,
  };
}

type Moment = { second: number; sizes: Sizes; scenario: Scenario; shards: Placement };

function worldAt({ second, sizes, scenario, shards }: Moment): World {
  const since = second - EVENT_S;
  const isAfter = scenario.zoneFails && since >= 0;
  const isBurst = scenario.hasBurst && since >= 0 && since < given.BURST_S;
  const isBack = isAfter && since < given.RECONNECTED_WITHIN_S;
  const outage = isAfter && since < given.FAILOVER_S ? since + 1 : 0;
  const left = (count: number) => (isAfter ? count - Math.ceil(count / given.ZONES) : count);
  return {
    messages: given.MESSAGES_A_SECOND * (isBurst ? given.BURST : 1),
    reconnects: isBack ? (shards.lost * given.SOCKETS) / given.RECONNECTED_WITHIN_S : 0,
    fullestShare: isAfter ? shards.fullestAfter : shards.fullest,
    requestShare: 1 / left(sizes.gateways),
    cores: {
      gateway: 1,
      messaging: left(sizes.messaging),
      postgres: outage > 0 ? 0 : given.POSTGRES_CORES,
      nats: given.NATS_CORES,
    },
    outage,
  };
}

/** The work of a second; that of the fullest gateway alone, since it cannot give any to the others. */
function arriving(costs: Costs, part: Part, world: World): number {
  const { messages, reconnects, fullestShare: sockets, requestShare } = world;
  const back = reconnects * (costs.socket[part] + given.MISSED_PACKETS * costs.replayedPacket[part]);
  if (part !== 'gateway') return messageWork(costs, part, messages) + back;
  const requests = messages * (costs.message.gateway + given.RECEIPTS * costs.receipt.gateway);
  const live = messages * given.DELIVERIES * costs.delivery.gateway;
  return requests * requestShare + (live + back) * sockets;
}

function messageWork(costs: Costs, part: Part, messages: number): number {
  const { message, delivery, receipt } = costs;
  return messages * (message[part] + given.DELIVERIES * delivery[part] + given.RECEIPTS * receipt[part]);
}
