import { fromJson } from '@bufbuild/protobuf';
import { appUri } from '@parley/domain/ids';
import type { Wire } from '@parley/domain/wire';
import {
  AccessTokenSchema,
  AppSchema,
  AuditEntrySchema,
  KeySchema,
  ProviderSchema,
  type AccessToken,
  type App,
  type AuditEntry,
  type Key,
  type Provider,
} from '@parley/proto/parley/identity/v1/app_pb';
import type { AccessTokenRow } from '../sql/access-token.ts';
import type { AppRow } from '../sql/app.ts';
import type { AuditEntryRow } from '../sql/audit-entry.ts';
import type { ProviderRow } from '../sql/provider.ts';
import type { ProviderKeyRow } from '../sql/provider-key.ts';

// Rows have bare ids; the administration API shows URIs.

export function toApp(wire: Wire, row: AppRow): App {
  return fromJson(AppSchema, { ...row, id: appUri(wire, row.environment, row.app_uuid) });
}

export function toProvider(wire: Wire, row: ProviderRow): Provider {
  return fromJson(ProviderSchema, { ...row, id: wire.uri('providers', row.id) });
}

export function toKey(wire: Wire, row: ProviderKeyRow): Key {
  const ids = { id: wire.uri('keys', row.id), provider_id: wire.uri('providers', row.provider_id) };
  return fromJson(KeySchema, { ...row, ...ids });
}

export function toAccessToken(wire: Wire, row: AccessTokenRow): AccessToken {
  return fromJson(AccessTokenSchema, { ...row, id: wire.uri('access_tokens', row.id) });
}

export function toAuditEntry(row: AuditEntryRow): AuditEntry {
  const outcome = row.method !== null && row.outcome === null ? 'unknown' : row.outcome;
  return fromJson(AuditEntrySchema, { ...row, outcome });
}
