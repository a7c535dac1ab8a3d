import type { TestMessaging } from './service.ts';

const TABLES = ['participant', 'participant_block', 'conversation_block'];

/**
 * Makes the database refuse transactions that change the progress of a participant or a bitmap without updating the conversation's
 * row, which processes that cache the conversation would not notice. The one exempt transaction, the reset of an erased user's
 * receipts, does not occur in the tests that use this.
 */
export async function guardVersions({ ctx }: TestMessaging): Promise<void> {
  await ctx.db.execute({
    text: `
      create function refuse_unnoticed_change() returns trigger language plpgsql as $$
      declare changed record := coalesce(new, old);
      begin
        if not exists (
          select from conversation c where c.app_id = changed.app_id and c.id = changed.conversation_id
            and c.xmin = pg_current_xact_id()::xid
        ) then
          raise exception 'a row of % was changed without an update of its conversation', tg_table_name;
        end if;
        return null;
      end $$`,
  });
  for (const table of TABLES) {
    await ctx.db.execute({
      text: `
        create constraint trigger refuse_unnoticed_change after insert or update or delete on ${table}
        deferrable initially deferred for each row execute function refuse_unnoticed_change()`,
    });
  }
}
