import { ParleyError } from '../errors.ts';
import type { Command } from '../tabs/coordinator.ts';
import type { LeaderCommand } from './ask.ts';
import type { Context } from './context.ts';
import { watchPresence } from './ephemeral-state.ts';
import { readOlder, readOlderAnnouncements } from './history.ts';
import { makeRoom } from './prune.ts';
import { readConversation, readMessage } from './refetch.ts';

/** Runs a command of this tab or another one. Those of a later version fail. */
export async function runCommand(ctx: Context, given: Command): Promise<unknown> {
  const { epoch, socket } = ctx.sync.state;
  if (epoch === undefined) throw new ParleyError({ id: 'network_error' });
  const command = given as LeaderCommand;
  switch (command.name) {
    case 'readOlder':
      return readOlder(ctx, epoch, command.data);
    case 'readOlderAnnouncements':
      return readOlderAnnouncements(ctx, epoch, command.data.pageSize);
    case 'readConversation':
      return readConversation(ctx, epoch, command.data.id);
    case 'readMessage':
      return readMessage(ctx, epoch, command.data.id);
    case 'prune':
      return makeRoom(ctx);
    case 'watchPresence':
      return watchPresence(ctx, socket, command.data.ids);
    case 'signal':
      return socket?.signal(command.data);
    default:
      throw new ParleyError({ id: 'invalid_request' });
  }
}
