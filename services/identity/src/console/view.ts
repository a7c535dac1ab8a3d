import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ConsoleSessionSchema } from '@parley/proto/parley/identity/v1/console_service_pb';
import type { ConsoleSessionRow } from '../sql/console-session.ts';
import { toRoleGrant } from './roles.ts';

export function toConsoleSession(row: ConsoleSessionRow): MessageInitShape<typeof ConsoleSessionSchema> {
  const { id, issuer, subject, name, roles, method } = row;
  return {
    id,
    person: { issuer, subject, name },
    roles: roles.map(toRoleGrant),
    method,
    createdAt: row.created_at,
    usedAt: row.used_at,
    expiresAt: row.expires_at,
  };
}
