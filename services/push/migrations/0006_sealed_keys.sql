-- What is sealed names its key itself.
alter table credentials drop column sealed_with;
alter table vapid_key drop column sealed_with;
