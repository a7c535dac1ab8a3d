-- The user's; null: 0. A reaction of the next person with the user id is pushed again.
alter table reaction_push add column incarnation double precision;
