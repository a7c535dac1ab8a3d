-- Positions that a participant does not see, who was added without the history; null: none.
alter table participant add column unseen int8multirange;
