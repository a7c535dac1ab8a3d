import { ActionIcon, CopyButton, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** An id or another text in fixed width, with a button that copies it whole. */
export function CopyText({ text, shown = text, label }: { text: string; shown?: ReactNode; label: string }) {
  return (
    <Group gap={4} wrap="nowrap" className="copy-text">
      <Text span size="xs" ff="monospace" truncate title={text}>
        {shown}
      </Text>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon
            size="sm"
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            onClick={copy}
            aria-label={label}
            title={copied ? 'Copied' : label}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}
