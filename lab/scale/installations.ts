import {
  LIVE_SHARDS,
  MESSAGES_A_SECOND,
  RECEIPTS,
  SOCKETS,
  SOCKETS_A_GATEWAY,
  ZONES,
} from './assumptions.ts';
import {
  BYTES_LOGGED,
  BYTES_STORED,
  DAYS_LOGGED,
  GATE_FACTOR,
  INSTALLATIONS,
  MESSAGES_A_DAY,
  MOVED_BYTES_A_SECOND,
  POSTGRES_SHARE,
  PUBLISHES_A_SECOND,
  type Installation,
} from './cell-assumptions.ts';
import type { Costs } from './costs.ts';
import { tableOf } from './markdown.ts';

const DAYS_A_YEAR = 365;
const SECONDS_AN_HOUR = 3_600;

/** Needs of an installation in the busiest hour and in a year. Sizes in bytes, and per node or cell; shares of 1. */
export type Needs = {
  messages: number;
  cores: number;
  coresOfNode: number;
  yearOfNode: number;
  logOfNode: number;
  yearOfCell: number;
  moveHours: number;
  streamShare: number;
  gateways: number;
};

export function needsOf({ times, nodes, cells }: Installation, { message, receipt }: Costs): Needs {
  const messages = times * MESSAGES_A_SECOND;
  const ofMessage = message.postgres + RECEIPTS * receipt.postgres;
  const cores = (messages * ofMessage * (cells > 1 ? GATE_FACTOR : 1)) / POSTGRES_SHARE;
  const year = times * MESSAGES_A_DAY * BYTES_STORED * DAYS_A_YEAR;
  return {
    messages,
    cores,
    coresOfNode: cores / nodes,
    yearOfNode: year / nodes,
    logOfNode: (times * MESSAGES_A_DAY * BYTES_LOGGED * DAYS_LOGGED) / nodes,
    yearOfCell: year / cells,
    moveHours: year / cells / MOVED_BYTES_A_SECOND / SECONDS_AN_HOUR,
    streamShare: messages / PUBLISHES_A_SECOND,
    // Those of the other zones suffice when one has failed.
    gateways: Math.ceil((times * SOCKETS) / SOCKETS_A_GATEWAY / (ZONES - 1)) * ZONES,
  };
}

const COLUMNS = [
  'users a month',
  'cells',
  'messages/s',
  'cores for Postgres',
  'of a node',
  'messages of a node, a year',
  'log of a node',
  'a cell after a year',
  'its move',
  'leader of `EVENTS`',
  'gateways',
];

/** The needs of all assumed installations as a table in Markdown. `*`: more gateways than live shards. */
export function installationTable(costs: Costs): string {
  const rows = INSTALLATIONS.map((installation) => {
    const needs = needsOf(installation, costs);
    return [
      installation.name,
      installation.cells === 1 ? 'none' : String(installation.cells),
      needs.messages.toLocaleString('en'),
      needs.cores.toFixed(1),
      needs.coresOfNode.toFixed(1),
      terabytes(needs.yearOfNode),
      terabytes(needs.logOfNode),
      installation.cells === 1 ? '' : terabytes(needs.yearOfCell),
      installation.cells === 1 ? '' : `${needs.moveHours.toFixed(1)} h`,
      `${Math.round(100 * needs.streamShare)} %`,
      `${needs.gateways}${needs.gateways > LIVE_SHARDS ? '*' : ''}`,
    ];
  });
  return tableOf(COLUMNS, rows);
}

function terabytes(bytes: number): string {
  return `${(bytes / 1e12).toFixed(2)} TB`;
}
