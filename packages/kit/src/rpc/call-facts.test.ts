import { globSync } from 'node:fs';
import path from 'node:path';
import { getOption, hasOption, type DescFile, type DescMessage, type DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { CellAdminService } from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { ImportService } from '@parley/proto/parley/messaging/v1/transfer_service_pb';
import { PushAdminService } from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { RecoveryService } from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { call as CALL, Carriage } from '@parley/proto/parley/rpc/v1/call_pb';

/** Records bounded by the limits on callers' input. */
const OBJECTS = new Set([
  'parley.messaging.v1.Message',
  'parley.messaging.v1.Conversation',
  'parley.messaging.v1.ScheduledMessage',
  'parley.messaging.v1.Part',
  'parley.announcement.v1.Announcement',
  'parley.announcement.v1.ReceivedAnnouncement',
  'parley.identity.v1.App',
  'parley.identity.v1.Identity',
  'parley.webhook.v1.Webhook',
  'parley.webhook.v1.Delivery',
  'google.protobuf.Struct',
]);

const generated = path.resolve(import.meta.dirname, '../../../../proto/gen/parley');

const ADMINISTRATION = new Set<string>(
  [AdminService, CellAdminService, ImportService, PushAdminService, RecoveryService].map(
    ({ typeName }) => typeName,
  ),
);

async function allFiles(): Promise<DescFile[]> {
  const paths = globSync('*/v1/*_pb.js', { cwd: generated });
  const modules = await Promise.all(
    paths.map((name) => import(path.join(generated, name)) as Promise<object>),
  );
  return modules
    .flatMap((module) => Object.values(module) as DescFile[])
    .filter(({ kind }) => kind === 'file');
}

function hasList(message: DescMessage, seen = new Set<string>()): boolean {
  if (seen.has(message.typeName) || OBJECTS.has(message.typeName)) return false;
  seen.add(message.typeName);
  return message.fields.some(
    (field) =>
      field.fieldKind === 'list' ||
      field.fieldKind === 'map' ||
      (field.fieldKind === 'message' && hasList(field.message, seen)),
  );
}

let methods: DescMethod[];
beforeAll(async () => {
  methods = (await allFiles()).flatMap(({ services }) => services.flatMap((service) => service.methods));
});

function namesOf(found: (method: DescMethod) => boolean): string[] {
  return methods.filter(found).map(({ parent, name }) => `${parent.typeName}.${name}`);
}

const factsOf = (method: DescMethod) => getOption(method, CALL);

test('every method says what holds for its calls', () => {
  expect(methods.length).toBeGreaterThan(150);
  expect(namesOf((method) => !hasOption(method, CALL))).toEqual([]);
});

// Every answer between processes fits into one message.
test('a call whose answer has a list says what bounds it, and no other does', () => {
  const growing = namesOf(({ output }) => hasList(output));
  expect(growing.length).toBeGreaterThan(40);
  expect(namesOf((method) => factsOf(method).bound !== '')).toEqual(growing);
});

test('only calls that may be repeated have streams of their own', () => {
  const isRepeatable = ({ idempotency }: DescMethod) =>
    idempotency === Idempotency.NO_SIDE_EFFECTS || idempotency === Idempotency.IDEMPOTENT;
  const apart = (method: DescMethod) => factsOf(method).carriage === Carriage.APART;
  expect(namesOf(apart).length).toBeGreaterThan(0);
  expect(namesOf((method) => apart(method) && !isRepeatable(method))).toEqual([]);
});

test('methods of the administration API say which people may call them, and no others', () => {
  const administration = namesOf(({ parent }) => ADMINISTRATION.has(parent.typeName));
  expect(administration.length).toBeGreaterThan(40);
  expect(namesOf((method) => factsOf(method).access !== undefined)).toEqual(administration);
});
