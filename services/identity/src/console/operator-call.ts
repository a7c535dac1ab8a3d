import { isUuid } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import { decodeActor } from '@parley/domain/actor';
import { currentContext } from '@parley/kit/runtime/request-context';
import type { OperatorCall } from '@parley/proto/parley/identity/v1/console_service_pb';
import type { Context } from '../context.ts';
import type { NewAuditEntry, Outcome } from '../sql/audit-entry.ts';

const ACTORS = ['admin', 'server', 'unknown'];
const OUTCOMES: readonly string[] = ['done', 'refused', 'failed'] satisfies Outcome[];
/** UTF-16 code units. */
const MAX_TEXT = 512;

/** Records a call of the requesting person in the audit log. Problems: invalid_property. */
export function entryOfCall(ctx: Context, call: OperatorCall | undefined): NewAuditEntry {
  const { actor = '', method = '', action, appId, subject = '', objectId, namesUser } = call ?? {};
  if (!ACTORS.includes(actor)) failProperty('actor');
  if (method === '') failProperty('method');
  if (appId !== undefined && !isUuid(appId)) failProperty('app_id');
  const { requestId, actor: encoded } = currentContext() ?? {};
  return {
    id: ctx.newId(),
    createdAt: ctx.clock.now(),
    actor,
    method: storable(method),
    action: storable(action || method),
    appId,
    subject: storable(subject),
    objectId: uuidOf(objectId),
    namesUser,
    requestId,
    person: decodeActor(encoded).person,
  };
}

/** Problems: invalid_property. */
export function parseOutcome({ outcome, code }: { outcome: string; code: string }) {
  if (!isOutcome(outcome)) failProperty('outcome');
  return { outcome, code: code === '' ? undefined : storable(code) };
}

function isOutcome(text: string): text is Outcome {
  return OUTCOMES.includes(text);
}

/** The text, truncated to fit, without characters that Postgres refuses. */
function storable(text: string): string {
  return text.slice(0, MAX_TEXT).replaceAll('\0', '\uFFFD').toWellFormed();
}

export function uuidOf(text: string | undefined): string | undefined {
  return text !== undefined && isUuid(text) ? text : undefined;
}

function failProperty(property: string): never {
  fail('invalid_property', { property, message: `${property} of an operator's call is not valid.` });
}
