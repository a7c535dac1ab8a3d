-- Processes of the release before work erasures, too. They end one by handing the participations of the erased person to the next
-- person with the user id, which this release takes away instead: what counts for nobody stays so.
create function keep_participation_erased() returns trigger language plpgsql as $$
begin
  if exists (
    select from identity_copy i
    where i.app_id = old.app_id and i.user_id = old.user_id and i.participations_from > coalesce(old.incarnation, 0))
  then
    return null;
  end if;
  return new;
end $$;

-- An erasure that would end while participations of the erased person are left begins anew a minute later, until a process of this
-- release works it.
create function continue_erasure() returns trigger language plpgsql as $$
begin
  if exists (
    select from identity_copy i
    join participant p on p.app_id = i.app_id and p.user_id = i.user_id
      and coalesce(p.incarnation, 0) < i.participations_from
    join conversation c on c.app_id = p.app_id and c.id = p.conversation_id
    where i.app_id = old.app_id and i.user_id = old.user_id and i.participations_from > 0
      and not exists (select from app_tombstone t where t.app_id = old.app_id))
  then
    insert into erasure (app_id, user_id, version, due_at)
    values (old.app_id, old.user_id, old.version, clock_timestamp() + interval '1 minute');
  end if;
  return null;
end $$;

-- In the order in which an erasure locks the tables.
create trigger continue_erasure after delete on erasure
for each row execute function continue_erasure();

create trigger keep_participation_erased before update of incarnation on participant
for each row when (new.incarnation is distinct from old.incarnation) execute function keep_participation_erased();
