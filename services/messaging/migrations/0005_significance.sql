-- Bit i: for this participant the significance of the position is the contrary of the conversation's `low`.
alter table participant_block
  add column contrary bytea not null default decode(repeat('00', 32), 'hex');
