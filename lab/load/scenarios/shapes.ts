import type { Subprotocol } from '../../../test/support/socket.ts';

/** How many users are connected, and how much they send. */
export type Shape = {
  name: string;
  /** Pairs, or members of the group. */
  users: number;
  /** Messages of each conversation under way at any time. */
  outstanding: number;
  /** Messages in all conversations together, at the usual length. */
  total: number;
  /** Form of the packets of all sockets; default: `svc-3.0`. */
  subprotocol?: Subprotocol;
};

/** Users who write to each other in pairs, each on a connection of their own. */
export const PAIRS: readonly Shape[] = [
  { name: 'pairs-1x1', users: 1, outstanding: 1, total: 1_000 },
  { name: 'pairs-50x1', users: 50, outstanding: 1, total: 10_000 },
  { name: 'pairs-100x2', users: 100, outstanding: 2, total: 20_000 },
  { name: 'pairs-100x4', users: 100, outstanding: 4, total: 30_000 },
];
/** One conversation whose members are all connected; one of them sends. */
export const GROUPS: readonly Shape[] = [
  { name: 'group-100x1', users: 100, outstanding: 1, total: 1_000 },
  { name: 'group-100x16', users: 100, outstanding: 16, total: 4_000 },
  { name: 'group-250x16', users: 250, outstanding: 16, total: 1_600 },
  { name: 'group-1000x16', users: 1_000, outstanding: 16, total: 600 },
];

/** The shape with lean packets. docs/protocol/lean-packets.md */
export function lean(shape: Shape): Shape {
  return { ...shape, name: `lean-${shape.name}`, subprotocol: 'svc-4.0' };
}

/** Messages of the shape at this factor of the usual length. */
export function totalOf(shape: Shape, scale: number): number {
  return Math.max(1, Math.round(shape.total * scale));
}

/** Messages that are sent before those that are measured. */
export function warmUpOf(total: number): number {
  return Math.ceil(total / 10);
}
