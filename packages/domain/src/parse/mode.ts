import { DeletionMode } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { parseChoice } from './choice.ts';

const MODES = {
  my_devices: DeletionMode.MY_DEVICES,
  all_participants: DeletionMode.ALL_PARTICIPANTS,
} as const;
const FLAGS = { true: true, false: false } as const;

/** `mode` of a deletion in a query; absent: on the caller's devices. docs/protocol/messages.md#delete-a-message */
export function parseMode(query: URLSearchParams): DeletionMode {
  return toMode(query.get('mode'));
}

/** Parses the deletion mode of a WebSocket request. */
export function toMode(mode: unknown): DeletionMode {
  return parseChoice(MODES, mode ?? 'my_devices', 'mode');
}

/** A query parameter `true` or `false`; absent: false. */
export function parseQueryFlag(query: URLSearchParams, name: string): boolean {
  return parseChoice(FLAGS, query.get(name) ?? 'false', name);
}
