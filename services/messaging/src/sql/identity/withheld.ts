import { isHeld } from '../conversation/participant.ts';

/** SQL of the values that name an act: the application, the conversation that it is seen in, and who acts. */
type Act = { appId: string; conversationId: string; actorId: string };

/**
 * Whether one user sees what another does now: SQL of the participants from whom an act is withheld, since they block who acts. All that
 * passes from a user to others in a conversation asks this: edits, deletions and typing by this text, and sends by the same conditions in the statement
 * that reads the blockers' progress, too (send-state.ts, cached-send.ts). Asked under the conversation's lock, it knows every block that was answered
 * before the act began. docs/decisions/relations.md#what-a-block-withholds
 */
export function withheldFrom({ appId, conversationId, actorId }: Act): string {
  return `
    select p.user_id from block_copy b
    join participant p on p.app_id = b.app_id and p.conversation_id = ${conversationId} and p.user_id = b.owner_user_id
    where b.app_id = ${appId} and b.blocked_user_id = ${actorId} and b.owner_user_id <> ${actorId}
      and p.left_seq is null and ${isHeld()}`;
}
