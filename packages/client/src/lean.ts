/**
 * Sockets that use about a third of the bytes, for phones and wherever traffic costs money.
 *
 * @module @parley/client/lean
 */

export { leanSockets } from './lean/sockets.ts';
