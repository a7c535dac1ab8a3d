-- The tables of consumers as their code expects them. An event that cannot be read may have any id, and events are
-- consumed in the order of time, so that an index of blocks does.
alter table dead_letter alter column event_id type text;
drop index consumed_event_by_age;
create index consumed_event_at on consumed_event using brin (at);
