import { Text, type TextProps } from '@mantine/core';
import { describeTime } from './describe-time.ts';

const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

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
