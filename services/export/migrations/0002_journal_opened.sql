-- Since when the journal is kept: what happened before and comes late, or again from a log, is not for it.
alter table journal_head add column opened_at timestamptz not null default '-infinity';
alter table journal_head alter column opened_at drop default;
