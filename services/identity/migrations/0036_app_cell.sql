-- The cell in which messaging has what belongs to the application: chosen when it is created, never changed. docs/scaling.md#cells
alter table app add column cell smallint not null default 0;
