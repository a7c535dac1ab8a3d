-- The tables of consumers and of the outbox as their code expects them. An event that cannot be read may have any id,
-- events are consumed in the order of time, so that an index of blocks does, and what is pending is read by id.
alter table dead_letter alter column event_id type text;
drop index consumed_event_by_age;
create index consumed_event_at on consumed_event using brin (at);
drop index outbox_by_age;
