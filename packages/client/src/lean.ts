/**
 * Sockets that bring the same in a third of the bytes: for phones, and for whoever pays for traffic.
 *
 * @module @parley/client/lean
 */

export { leanSockets } from './lean/sockets.ts';
