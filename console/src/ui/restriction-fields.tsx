import { Select, Textarea } from '@mantine/core';
import type { FormValues } from './form/use-values.ts';

const SECOND_MS = 1_000;

/** Ends of a restriction that are offered: seconds from now; none for one without an end. */
const ENDS = [
  { value: '3600', label: 'After an hour' },
  { value: '86400', label: 'After a day' },
  { value: '604800', label: 'After a week' },
  { value: '', label: 'Never' },
];

const LONGEST_REASON = 256;

/** How long a user is restricted, and why. */
export type Term = { seconds: string; reason: string };

export const NEW_TERM: Term = { seconds: '86400', reason: '' };

export function termOf({ seconds, reason }: Term): { until: string | null; reason: string | null } {
  return {
    until: seconds === '' ? null : new Date(Date.now() + Number(seconds) * SECOND_MS).toISOString(),
    reason: reason.trim() || null,
  };
}

/** The fields of a dialog that mutes or bans. */
export function TermFields({ values, change }: Pick<FormValues<Term>, 'values' | 'change'>) {
  return (
    <>
      <Select
        label="Ends"
        data={ENDS}
        allowDeselect={false}
        value={values.seconds}
        onChange={(seconds) => seconds !== null && change({ seconds })}
      />
      <Textarea
        label="Reason"
        description="The user reads it."
        autosize
        maxLength={LONGEST_REASON}
        value={values.reason}
        onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
      />
    </>
  );
}
