-- Processes of the release before delete messages without the bodies that edits replaced.
create function delete_message_versions() returns trigger language plpgsql as $$
begin
  delete from message_version v
  where v.app_id = new.app_id and v.conversation_id = new.conversation_id and v.position = new.position;
  return null;
end $$;

create trigger delete_message_versions after update of deleted_at on message
for each row when (old.deleted_at is null and new.deleted_at is not null) execute function delete_message_versions();
