import type { LeaderCommand } from '../sync/ask.ts';
import type { Context } from '../sync/context.ts';
import type { ConversationType } from '../records/policy.ts';
import type { Actions } from './actions.ts';
import type { Publisher } from '../query/live-query.ts';
import type { Views } from './views.ts';

/** The client from the point of view of its queries. It opens its records after it was created. */
export type Host = {
  readonly publisher: Publisher;
  /** Undefined until the records are open. */
  ctx: Context | undefined;
  views: Views | undefined;
  actions: Actions | undefined;
  /** Resolves when the records are open. */
  readonly ready: Promise<void>;
  /** Number of times the connection was established. */
  connections: number;
  /** The types of conversations, as `Client.types` read them last. */
  types?: readonly ConversationType[];
  /** Runs a command at the tab that leads, once the records are open. */
  ask(command: LeaderCommand): Promise<unknown>;
  /** Loads the messages of a conversation into memory, and publishes them. */
  loadList(conversation: string): void;
  /** Whether the messages of a conversation are shown. */
  useList(conversation: string, isUsed: boolean): void;
};
