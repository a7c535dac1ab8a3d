import { createClient, type ConnectRouter, type Transport } from '@connectrpc/connect';
import { fail } from '@parley/domain/problems';
import { isTime } from '@parley/domain/time';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import {
  ContentRecoveryService,
  IdentityRecoveryService,
  MessagingRecoveryService,
  RecoveryService,
  type AfterRestoreRequest,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import { STEPS } from './steps.ts';
import type { Services } from './step.ts';

type Options = {
  identity: Transport;
  messaging: Transport;
  content: Transport;
  learnRevocations(): Promise<void>;
};

/** Work that follows a restore, step by step. docs/operations.md#after-a-restore */
export function recoveryRoutes({
  identity,
  messaging,
  content,
  learnRevocations,
}: Options): (router: ConnectRouter) => void {
  const services: Services = {
    users: createClient(IdentityService, identity),
    identity: createClient(IdentityRecoveryService, identity),
    messaging: createClient(MessagingRecoveryService, messaging),
    content: createClient(ContentRecoveryService, content),
    learnRevocations,
  };
  return (router) =>
    void router.service(RecoveryService, { afterRestore: (request) => takeStep(services, request) });
}

/** Problems: missing_property, invalid_property. */
async function takeStep(services: Services, { since, step: given, cursor }: AfterRestoreRequest) {
  requireSince(since);
  const names = [...STEPS.keys()];
  const name = given || (names[0] ?? '');
  const step = STEPS.get(name) ?? failStep('step');
  const result = await step(services, { since, cursor }).catch((error: unknown) => {
    if (error instanceof SyntaxError) return failStep('cursor');
    throw error;
  });
  const counts = Object.entries(result.counts).map(([what, count]) => ({ what, count }));
  const next = result.cursor === '' ? (names[names.indexOf(name) + 1] ?? '') : name;
  return { done: name, counts, notes: [...(result.notes ?? [])], step: next, cursor: result.cursor };
}

function requireSince(since: number): void {
  if (since === 0) fail('missing_property', { property: 'since', message: 'since is required.' });
  if (isTime(since)) return;
  fail('invalid_property', {
    property: 'since',
    message: 'since must be a time in milliseconds since 1970.',
  });
}

function failStep(property: string): never {
  return fail('invalid_property', { property, message: `${property} is not that of an answer.` });
}
