import type { Context } from './context.ts';
import type { TypingSignal } from './ephemeral-state.ts';
import type { PageRequest } from './history.ts';

/** A command that the leader runs for all tabs. The names are sent between tabs. */
export type LeaderCommand =
  | { readonly name: 'readOlder'; readonly data: PageRequest }
  | { readonly name: 'readOlderAnnouncements'; readonly data: { readonly pageSize: number } }
  | { readonly name: 'readConversation' | 'readMessage'; readonly data: { readonly id: string } }
  | { readonly name: 'watchPresence'; readonly data: { readonly ids: readonly string[] } }
  | { readonly name: 'signal'; readonly data: TypingSignal }
  | { readonly name: 'prune'; readonly data: null };

/** Runs a command at the tab that leads. */
export function ask({ coordinator }: Pick<Context, 'coordinator'>, command: LeaderCommand): Promise<unknown> {
  return coordinator.ask(command);
}
