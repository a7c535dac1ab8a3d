-- Messages of users under a shadow restriction: they count as deleted for everybody, and their sender and servers go on seeing them. A
-- `deleted_by` says that the sender no longer sees one.
alter table message add column shadowed boolean;
