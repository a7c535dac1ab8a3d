import type { Client } from '@connectrpc/connect';
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
  /** Applies what was revoked to this gateway. */
  learnRevocations(): Promise<void>;
};

export type StepResult = {
  /** By what was done. */
  counts: Record<string, number>;
  notes?: readonly string[];
  /** Where the step goes on; empty: it is done. */
  cursor: string;
};

/** `since`: the earliest moment of a database, in milliseconds. `cursor`: empty for the first page. */
export type StepStart = { since: number; cursor: string };

/** A part of the recovery, in pages that may be repeated. */
export type Step = (services: Services, start: StepStart) => Promise<StepResult>;

/** Cursors are strings of a page's last keys. Throws for what no step has answered. */
export function readCursor(cursor: string, length: number): string[] {
  if (cursor === '') return Array.from({ length }, () => '');
  const keys: unknown = JSON.parse(cursor);
  if (!Array.isArray(keys) || keys.length !== length || !keys.every((key) => typeof key === 'string'))
    throw new SyntaxError('not a cursor');
  return keys as string[];
}

export function writeCursor(...keys: readonly string[]): string {
  return JSON.stringify(keys);
}
