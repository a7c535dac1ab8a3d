import type { Bench } from '../bench.ts';
import type { Figures } from '../stats.ts';
import { announcements } from './announcements.ts';
import { client } from './client.ts';
import { content } from './content.ts';
import { scheduled, hotConversation, idleSockets, receipts, replay } from './crowd.ts';
import { deliveryReceipts } from './delivery-receipts.ts';
import { historicalExport } from './exports.ts';
import { fairness } from './fairness.ts';
import { fanOut } from './fan-out.ts';
import { reactions, types } from './features.ts';
import { restFloor, socketFloor } from './floor.ts';
import { growth } from './growth.ts';
import { history } from './history.ts';
import { idle } from './idle.ts';
import { inFlight } from './in-flight.ts';
import { mixed } from './mixed.ts';
import { crowds, leanCrowds, pairs } from './pairs.ts';
import { probes } from './probes.ts';
import { pushes } from './pushes.ts';
import { deliveryLatency, restSends, socketSends } from './sends.ts';
import { webhooks } from './webhooks.ts';

type Scenario = (bench: Bench) => Promise<Figures[]>;

/** All scenarios by name, in the order in which they run. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'rest-floor': restFloor,
  'socket-floor': socketFloor,
  rest: restSends,
  socket: socketSends,
  latency: deliveryLatency,
  'fan-out-100': fanOut(100),
  'fan-out-250': fanOut(250),
  'fan-out-1000': fanOut(1000),
  receipts,
  'delivery-receipts': deliveryReceipts,
  'hot-conversation': hotConversation,
  replay,
  idle,
  'idle-sockets': idleSockets,
  probes,
  scheduled,
  history,
  announcements,
  content,
  webhooks,
  pushes,
  export: historicalExport,
  ...fairness,
  types,
  reactions,
  client,
  'in-flight': inFlight,
  ...pairs,
  ...crowds,
  ...leanCrowds,
  mixed,
  ...growth,
};

/** Names that stand for several scenarios. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  floors: ['rest-floor', 'socket-floor'],
  fairness: Object.keys(fairness),
  pairs: Object.keys(pairs),
  lean: Object.keys(leanCrowds),
  groups: Object.keys(crowds),
  growth: Object.keys(growth),
  features: ['types', 'reactions'],
};

/** Scenarios that run when none is named: all except those that load millions of rows first. */
export const DEFAULTS: readonly string[] = Object.keys(SCENARIOS).filter((name) => !(name in growth));
