import type { TestMessaging } from './service.ts';

const TABLES = ['participant', 'participant_block', 'conversation_block'];

/**
 * Makes the database refuse transactions that change the progress of a participant or a bitmap and leave the row of the
 * conversation as it is: those who remember the conversation would not notice. Receipts of an erased incarnation are no
 * exception that these tests meet.
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
          raise exception 'a row of % was changed without its conversation', tg_table_name;
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
