-- By which an application sends to a push service of phones.
create table credentials (
  app_id uuid not null,
  -- fcm or apns.
  provider text not null,
  -- What may be shown of them.
  shown json not null,
  -- All of them as JSON, sealed.
  sealed bytea not null,
  -- Which encryption key sealed them.
  sealed_with text not null,
  updated_at timestamptz not null,
  primary key (app_id, provider)
);
