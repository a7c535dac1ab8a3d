import type { ErrorRecord } from '../errors.ts';
import type { Command } from './coordinator.ts';

/** A message between the tabs of one store. Kinds that a tab does not know are of a later version, and it ignores them. */
export type TabMessage =
  /** The leader of this epoch is there. */
  | { readonly kind: 'beat'; readonly epoch: number }
  /** Asks the leader for a beat. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'post'; readonly data: unknown }
  | { readonly kind: 'ask'; readonly id: string; readonly from: string; readonly command: Command }
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly to: string;
      readonly value?: unknown;
      readonly error?: ErrorRecord;
    };

const KINDS = new Set<unknown>(['beat', 'ping', 'post', 'ask', 'answer']);

export function isTabMessage(data: unknown): data is TabMessage {
  return typeof data === 'object' && data !== null && 'kind' in data && KINDS.has(data.kind);
}
