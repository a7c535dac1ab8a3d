import type { Client } from '@connectrpc/connect';
import { isUuid } from '@parley/domain/ids';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type {
  ContentRecoveryService,
  IdentityRecoveryService,
  MessagingRecoveryService,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';

/** The services that a recovery brings together. */
export type Services = {
  users: Client<typeof IdentityService>;
  identity: Client<typeof IdentityRecoveryService>;
  messaging: Client<typeof MessagingRecoveryService>;
  content: Client<typeof ContentRecoveryService>;
  /** Applies what was revoked to the gateway's process, if that serves this too. */
  learnRevocations(): Promise<void>;
};

export type StepResult = {
  /** By what was done. */
  counts: Record<string, number>;
  notes?: readonly string[];
  /** The place at which the step goes on; empty: it is done. */
  cursor: string;
};

/** `since`: the earliest moment of a database, in milliseconds. `cursor`: empty for the first page. */
export type StepStart = { since: number; cursor: string };

/** A part of the recovery, in pages that may be repeated. */
export type Step = (services: Services, start: StepStart) => Promise<StepResult>;

const KEY_KINDS = {
  uuid: isUuid,
  text: (key: string) => key.isWellFormed() && !key.includes('\0'),
  'whole number': (key: string) => /^(0|[1-9]\d{0,15})$/.test(key) && Number.isSafeInteger(Number(key)),
};

/** Form of a key of a cursor. */
export type KeyKind = keyof typeof KEY_KINDS;

/**
 * Reads the keys of the last row of a page; of an empty cursor they are empty texts. Throws a SyntaxError unless there is one key of each
 * kind.
 */
export function readCursor(cursor: string, ...kinds: readonly KeyKind[]): string[] {
  if (cursor === '') return kinds.map(() => '');
  const keys: unknown = JSON.parse(cursor);
  if (!Array.isArray(keys) || keys.length !== kinds.length) throw new SyntaxError('not a cursor');
  return kinds.map((kind, index) => {
    const key: unknown = keys[index];
    if (typeof key === 'string' && KEY_KINDS[kind](key)) return key;
    throw new SyntaxError(`key ${index} of the cursor is not a ${kind}`);
  });
}

export function writeCursor(...keys: readonly string[]): string {
  return JSON.stringify(keys);
}
