-- block_copy holds the blocks that there are. The version that each was heard of last stays, also of one that is over.
create table block_version (
  app_id uuid not null,
  blocked_user_id text not null,
  owner_user_id text not null,
  version double precision not null,
  primary key (app_id, blocked_user_id, owner_user_id)
);

insert into block_version (app_id, blocked_user_id, owner_user_id, version)
select app_id, blocked_user_id, owner_user_id, version from block_copy;

-- `active` and `version` stay for the processes of the release before, until they are gone.
delete from block_copy where not active;
