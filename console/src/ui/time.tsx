import { Text, type TextProps } from '@mantine/core';

const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60_000],
  ['minute', 3_600_000],
  ['hour', 86_400_000],
];
const UNIT_MS: Partial<Record<Intl.RelativeTimeFormatUnit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
};

/** A time, as ISO 8601 or in milliseconds since 1970: near ones in words; the whole time shows under the pointer. */
export function Time({ at, ...props }: { at: string | number | null | undefined } & TextProps) {
  if (at === null || at === undefined || at === '') return <>–</>;
  const date = new Date(at);
  return (
    <Text span size="sm" {...props}>
      <time dateTime={date.toISOString()} title={FULL.format(date)}>
        {describeTime(date)}
      </time>
    </Text>
  );
}

export function describeTime(date: Date, now = Date.now()): string {
  const distance = date.getTime() - now;
  const [unit] = STEPS.find(([, below]) => Math.abs(distance) < below) ?? [];
  if (!unit) return SHORT.format(date);
  return RELATIVE.format(Math.round(distance / (UNIT_MS[unit] ?? 1_000)), unit);
}
