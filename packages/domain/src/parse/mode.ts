import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { invalid } from './fields.ts';

/** `mode` of a deletion in a query; absent: on the caller's devices. SPEC completions 4 */
export function parseMode(query: URLSearchParams): DeletionMode {
  return toMode(query.get('mode'));
}

/** The same for a value of a WebSocket request. */
export function toMode(mode: unknown): DeletionMode {
  if (mode === undefined || mode === null || mode === 'my_devices') return DeletionMode.MY_DEVICES;
  if (mode === 'all_participants') return DeletionMode.ALL_PARTICIPANTS;
  return invalid('mode', 'must be all_participants or my_devices.');
}

/** A query parameter `true` or `false`; absent: false. */
export function parseQueryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name) ?? 'false';
  return value === 'true' || (value === 'false' ? false : invalid(name, 'must be true or false.'));
}
