-- no transaction
drop index concurrently if exists audit_entry_by_object;
create index concurrently audit_entry_by_object on audit_entry (object_id, id) where object_id is not null;
drop index concurrently if exists audit_entry_by_age;
create index concurrently audit_entry_by_age on audit_entry (created_at) where not (action ~ '^(app|provider|key|access_token)[.]' and action not like 'access_token.issued%');
