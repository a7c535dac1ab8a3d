-- Fields of identities that users read of one another. An application that exists keeps both open, as they were; a new one has
-- none, also when the release before this one makes it.
alter table app add column public_identity_fields text[] not null default '{phone_number,email_address}';
alter table app alter column public_identity_fields set default '{}';
