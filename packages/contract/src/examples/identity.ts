import type { BasicIdentity, Identity } from '../records/identity.ts';
import type { IdentityInput } from '../records/identity-input.ts';
import { APP_BASE, BASE } from './base.ts';

/** Ada as clients see her. */
export const ADA: BasicIdentity = {
  id: 'svc:///identities/ada',
  url: `${BASE}/identities/ada`,
  user_id: 'ada',
  display_name: 'Ada Lovelace',
  avatar_url: null,
};

/** Bob as clients see him. */
export const BOB: BasicIdentity = {
  id: 'svc:///identities/bob',
  url: `${BASE}/identities/bob`,
  user_id: 'bob',
  display_name: 'Bob',
  avatar_url: null,
};

/** Ada as servers see her. */
export const ADA_OF_SERVER: BasicIdentity = { ...ADA, url: `${APP_BASE}/users/ada/identity` };

/** Bob as servers see him. */
export const BOB_OF_SERVER: BasicIdentity = { ...BOB, url: `${APP_BASE}/users/bob/identity` };

const REST = {
  type: 'User',
  identity_type: 'user',
  first_name: 'Ada',
  last_name: 'Lovelace',
  phone_number: null,
  email_address: 'ada@example.com',
  public_key: null,
  metadata: { team: 'analysis' },
  presence: { status: 'available', last_seen_at: '2026-11-20T20:15:30.123Z' },
} as const;

/** Ada's whole record as clients see it. */
export const IDENTITY: Identity = { ...ADA, ...REST };

/** The identity as servers see it. */
export const IDENTITY_OF_SERVER: Identity = { ...ADA_OF_SERVER, ...REST };

export const IDENTITY_INPUT: IdentityInput = {
  display_name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.com',
  metadata: { team: 'analysis' },
};
