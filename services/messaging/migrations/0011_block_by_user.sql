-- With the user in both, a row that is looked up by its whole key is found by either index alone.
drop index participant_block_by_block;
create index participant_block_by_block on participant_block (app_id, conversation_id, block, user_id);
