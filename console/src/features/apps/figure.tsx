import { Paper, Text } from '@mantine/core';

const NUMBER = new Intl.NumberFormat('en');

/** A number with its name. */
export function Figure({ label, value }: { label: string; value: number | undefined }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={650} className="figure">
        {value === undefined ? '–' : NUMBER.format(value)}
      </Text>
    </Paper>
  );
}
