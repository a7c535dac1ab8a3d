-- The name under which downloads are saved where a part gives none: that of the upload, or the first that a part's media type had.
alter table content add column filename text;
