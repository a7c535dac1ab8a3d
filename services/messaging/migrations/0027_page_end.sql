-- Where the last conversation of a page stood in a user's list by last message, when the user was shown it: a message moves the conversation to the
-- beginning of the list, and the next page begins behind this place all the same. Rows are kept for a day.
create table page_end (
  app_id uuid not null,
  user_id text not null,
  conversation_id uuid not null,
  listed_at timestamptz not null,
  shown_at timestamptz not null,
  primary key (app_id, user_id, conversation_id)
);
create index page_end_by_age on page_end (shown_at);
