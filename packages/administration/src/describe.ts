import type { DescMethod, DescService } from '@bufbuild/protobuf';
import type { Administration, DescribedMethod } from '@parley/contract/openapi/administration';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { CellAdminService } from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { ImportService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { PushAdminService } from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { RecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { messageSchema } from './message-schema.ts';
import { SAMPLES } from './samples.ts';

/** The path below which the administration API is served. */
export const ADMIN_PATH = '/admin/rpc';

/** The services of the administration API. */
export const SERVICES: readonly DescService[] = [
  AdminService,
  ImportService,
  PushAdminService,
  RecoveryService,
  CellAdminService,
];

/** Sentences that say more than the names of the methods. */
const SUMMARIES: Readonly<Record<string, string>> = {
  UpdateApp: 'Change settings of an app',
  CreateKey: 'Register a public key, or make a pair whose private key is shown this once',
  CreateAccessToken: 'Create an access token, which is shown this once',
  ValidateIdentityToken: 'Say which rules an identity token keeps',
  SearchUsers: 'Find users by the beginning of their id or display name',
  ListAuditEntries: 'List what administrators and the platform did',
  GetStatistics: 'Count apps, users and sessions',
  GetFigures: 'Show what was counted by the minute: messages, deliveries, requests, sockets, active users',
  CreateAutomationToken: 'Create a named token for this API, which is shown this once',
  CreateSignInCode: 'Make a code that opens the console once, where it takes codes',
  ImportConversations: 'Import conversations of a historical export',
  SetPushCredentials: 'Store and check the credentials of an app for a push service of phones',
  GetPushCredentials: 'List what may be shown of the credentials of an app for push services',
  SetPushSettings: 'Change how pushes of an app are sent',
  GetPushSettings: 'Show how pushes of an app are sent',
  SendTestPush: 'Send a push to a device at once, and return what the push service answered',
  ListCells: 'List the cells of messaging, their nodes and moves',
  AddCells: 'Make cells for new applications',
  MoveCell: 'Move a cell to another node of Citus',
  AfterRestore: 'Take one step of what follows a restore of databases',
  ImportMessages: 'Import messages of a historical export, in its order',
};

/** The administration API for the OpenAPI document, from the descriptors of the RPC protocol. */
export function describeAdministration(): Administration {
  const messages = new Map<string, object>();
  const methods = SERVICES.flatMap((service) =>
    service.methods.map((method) => describeMethod(service, method, messages)),
  );
  return { methods, messages };
}

function describeMethod(
  service: DescService,
  { name, input, output }: DescMethod,
  messages: Map<string, object>,
): DescribedMethod {
  const sample = SAMPLES[name];
  if (!sample) throw new Error(`${name} has no sample`);
  return {
    path: `${ADMIN_PATH}/${service.typeName}/${name}`,
    name,
    summary: SUMMARIES[name] ?? sentenceOf(name),
    sample,
    request: messageSchema(input, messages, false),
    response: messageSchema(output, messages, true),
  };
}

/** `ListUserSessions` as `List user sessions`. */
function sentenceOf(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
