import { limits } from '@parley/contract/limits';
import { parseTime } from '../json/time.ts';
import { isStorableText } from '../metadata.ts';
import { parseName } from './choice.ts';
import { invalid, missing, optional, optionalText, parseObject, type Fields } from './fields.ts';

/** `until`: milliseconds; absent: without end. */
export type RestrictionInput = { kind: string; until?: number; reason?: string };

/** A restriction in a conversation, or, with `mute` alone, in the application. Fails with invalid_request, missing_property, invalid_property. */
export function parseRestriction(
  body: unknown,
  { kinds, now }: { kinds: readonly string[]; now: number },
): RestrictionInput {
  const fields = parseObject(body);
  const kind = parseName(kinds, optional(fields, 'type') ?? missing('type'), 'type');
  const until = parseUntil(fields, now);
  const reason = parseReason(fields);
  return { kind, ...(until !== undefined && { until }), ...(reason !== undefined && { reason }) };
}

function parseUntil(fields: Fields, now: number): number | undefined {
  const text = optionalText(fields, 'until');
  if (text === undefined) return undefined;
  const until = parseTime(text) ?? invalid('until', 'must be an ISO 8601 time with a zone.');
  return until > now ? until : invalid('until', 'must lie in the future.');
}

function parseReason(fields: Fields): string | undefined {
  const reason = optionalText(fields, 'reason');
  if (reason === undefined) return undefined;
  const fits = isStorableText(reason) && reason.length <= limits.restrictionReason;
  return fits ? reason : invalid('reason', `must have at most ${limits.restrictionReason} characters.`);
}
