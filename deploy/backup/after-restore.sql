-- For the database of messaging after a restore, before any process starts. Changes after the moment of the restore are lost, and their
-- numbers are given again: replays that begin before now say that they are incomplete, so that clients read their conversations anew.
update change_horizon set dropped_until = now();
