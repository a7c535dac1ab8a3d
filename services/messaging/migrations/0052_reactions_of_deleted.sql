-- Processes of the release before delete messages without the reactions to them. Of a conversation without any, nothing is looked for.
create function delete_reactions() returns trigger language plpgsql as $$
begin
  if not exists (
    select from conversation c
    where c.app_id = new.app_id and c.id = new.conversation_id and c.side_tables & 1 <> 0)
  then
    return null;
  end if;
  delete from reaction r
  where r.app_id = new.app_id and r.conversation_id = new.conversation_id and r.position = new.position;
  delete from reaction_count c
  where c.app_id = new.app_id and c.conversation_id = new.conversation_id and c.position = new.position;
  delete from reaction_push p
  where p.app_id = new.app_id and p.conversation_id = new.conversation_id and p.position = new.position;
  return null;
end $$;

create trigger delete_reactions after update of deleted_at on message
for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_reactions();
