import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AutomationTokenSchema } from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { AutomationTokenRow } from '../sql/automation-token.ts';
import { toRoleGrant } from './roles.ts';

export function toAutomationToken(row: AutomationTokenRow): MessageInitShape<typeof AutomationTokenSchema> {
  const { id, name, roles, expires_at: expiresAt, created_at: createdAt } = row;
  const expiry = expiresAt === null ? {} : { expiresAt };
  return { id, name, roles: roles.map(toRoleGrant), createdAt, ...expiry };
}
