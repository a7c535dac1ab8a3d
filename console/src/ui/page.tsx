import { Box, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { FailureNote } from './failure-note.tsx';
import { Icon, type IconName } from './icons.tsx';

/** The frame of every page: its heading, what it is for, its main action. */
export function Page({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Parley console`;
  }, [title]);
  return (
    <Stack gap="lg" className="page">
      <Group justify="space-between" align="flex-start" gap="md">
        <Box className="page-head">
          <Title order={1}>{title}</Title>
          {about && (
            <Text c="dimmed" size="sm" mt={4} maw={680}>
              {about}
            </Text>
          )}
        </Box>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <Box className="page-head">
          <Title order={2}>{title}</Title>
          {about && (
            <Text c="dimmed" size="sm" mt={2} maw={640}>
              {about}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}

/** Says why there is nothing, and what to do. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap={6} py={48} px="md" className="empty">
      <Box c="dimmed">
        <Icon name={icon} size={32} />
      </Box>
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="dimmed" size="sm" ta="center" maw={440} component="div">
          {children}
        </Text>
      )}
    </Stack>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <Group justify="center" py={48} role="status" aria-label={`Loading ${what}`}>
      <Loader size="sm" type="dots" />
    </Group>
  );
}

type Asked<T> = { data: T | undefined; error: Error | null; isPending: boolean; refetch: () => unknown };

/** Shows what was asked for, or that it is loading, or why it failed. */
export function Loaded<T>({
  query,
  what,
  children,
}: {
  query: Asked<T>;
  what: string;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    const retry = () => void query.refetch();
    return <FailureNote error={query.error} title={`Failed to load ${what}`} retry={retry} />;
  }
  return <Loading what={what} />;
}
