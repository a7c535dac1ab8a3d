-- Published messages whose events are in no log, for some minutes: a stream may lose its last messages.
create table recent_event (
  id uuid primary key,
  at timestamptz not null,
  subject text not null,
  payload bytea not null
);

-- What the stream acknowledged, until a milestone is stored behind it: the highest sequence of a series of messages.
create table published_mark (
  id uuid primary key,
  seq bigint not null,
  subject text not null,
  message_id text not null,
  -- When the oldest of their events was written, or earlier.
  oldest_at timestamptz not null
);

-- Messages published behind events: while the stream has one of them, it has all that was stored before.
create table milestone (
  seq bigint primary key,
  -- When the oldest event was written that was stored since the milestone before; infinity: there is none.
  oldest_at timestamptz not null,
  at timestamptz not null default clock_timestamp()
);

-- Which stream has what was published, and since when events are to be published again.
create table filled_stream (
  name text primary key,
  made_at text not null,
  lost_since timestamptz,
  -- How often a loss was recorded.
  losses integer not null default 0
);
