-- Exports that are due, application by application.
create index export_due_by_app on export (app_id, due_at) where completed_at is null;
