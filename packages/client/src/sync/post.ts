import { recordOfError, type ErrorRecord } from '../errors.ts';
import type { Operation } from '../records/operation.ts';
import type { Message } from '../records/records.ts';
import type { RecordWrite } from '../records/rows.ts';
import type { Context } from './context.ts';
import type { EphemeralChange } from './ephemeral-state.ts';
import type { ConnectionState } from './state.ts';

/** A message of the client of one tab to those of the others. */
export type Post =
  | { readonly kind: 'writes'; readonly writes: readonly RecordWrite[] }
  | { readonly kind: 'sent' | 'arrived'; readonly message: Message }
  | { readonly kind: 'failed'; readonly operation: Operation; readonly error: ErrorRecord }
  | ConnectionPost
  | { readonly kind: 'loggedOut' }
  /** The application connects or disconnects, in all tabs, which share one socket. */
  | { readonly kind: 'wanted'; readonly isWanted: boolean }
  /** A tab that is looked at has the leader check its connection, if nothing came for so long. Milliseconds. */
  | { readonly kind: 'probe'; readonly silentForMs: number }
  /** A tab was opened, and asks how the leader stands to the platform. */
  | { readonly kind: 'joined' }
  | EphemeralChange;

type ConnectionPost = {
  readonly kind: 'connection';
  readonly status: ConnectionState['status'];
  readonly error?: ErrorRecord | undefined;
};

/** Tells the other tabs how the leader stands to the platform. */
export function postConnection(ctx: Pick<Context, 'coordinator'>, { status, error }: ConnectionState): void {
  post(ctx, { kind: 'connection', status, error: error && recordOfError(error) });
}

export function post({ coordinator }: Pick<Context, 'coordinator'>, message: Post): void {
  coordinator.post(message);
}
