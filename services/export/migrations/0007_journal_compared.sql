-- Until when the journal has what messaging's change log has; null: it was never compared.
alter table journal_head add column compared_until timestamptz;
