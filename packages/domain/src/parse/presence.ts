import { NO_PRESENCE_CHOICE, PRESENCE_STATUSES } from '@parley/contract/values';
import { PresenceStatus } from '@parley/proto/parley/identity/v1/presence_service_pb';
import { presenceStatusNamed } from '../json/presence.ts';
import { parseIdentityRef } from '../ids.ts';
import { parseTime } from '../json/time.ts';
import type { Wire } from '../wire.ts';
import { notAccepted, parseName } from './choice.ts';
import { invalid, isFields, missing, optional, optionalObject, parseObject } from './fields.ts';
import { parseSteps } from './steps.ts';

/** `{status}`. Fails with missing_property, invalid_property (status). */
export function parsePresence(body: unknown): PresenceStatus {
  return readStatus(optional(parseObject(body), 'status') ?? missing('status'));
}

/** A patch array that sets `status`; the last one counts. Fails in the same ways, and with invalid_property for other properties. */
export function parsePresencePatch(body: unknown): PresenceStatus {
  let status: PresenceStatus | undefined;
  for (const [index, step] of parseSteps(body).entries()) {
    if (!isFields(step)) return invalid(String(index), 'must be an object.');
    parseName(['set'], step['operation'], `${index}.operation`);
    parseName(['status', 'presence.status'], step['property'], `${index}.property`);
    status = readStatus(step['value']);
  }
  return status ?? missing('status');
}

/** `{ids}`, as user ids, at most so many; undefined without them. Fails with invalid_request, invalid_property. */
export function parsePresenceIds(wire: Wire, data: unknown, most: number): string[] | undefined {
  const ids = optional(optionalObject(data), 'ids');
  if (ids === undefined) return undefined;
  if (!Array.isArray(ids) || ids.length > most) return invalid('ids', `must be at most ${most} identities.`);
  return ids.map((id: unknown) => {
    const userId = typeof id === 'string' ? parseIdentityRef(wire, id) : undefined;
    return userId ?? invalid('ids', 'must be identities.');
  });
}

/** `{since}`; undefined without it. Fails with invalid_request, invalid_property. */
export function parseSince(data: unknown): number | undefined {
  const since = optional(optionalObject(data), 'since');
  if (since === undefined) return undefined;
  const time = typeof since === 'string' ? parseTime(since) : undefined;
  return time ?? invalid('since', 'must be an ISO 8601 time.');
}

function readStatus(value: unknown): PresenceStatus {
  if (value === NO_PRESENCE_CHOICE) return PresenceStatus.AVAILABLE;
  const status = typeof value === 'string' ? presenceStatusNamed(value) : undefined;
  return status ?? notAccepted('status', [...PRESENCE_STATUSES, NO_PRESENCE_CHOICE]);
}
