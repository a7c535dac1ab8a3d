-- The incarnation of the user who deleted the message; null: 0. The next person with the id did not delete it.
alter table message add column deleted_by_incarnation double precision;
