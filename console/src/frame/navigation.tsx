import { Divider, NavLink, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouterState } from '@tanstack/react-router';
import { apiAddress } from '../api/api-url.ts';
import { appQuery } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { isWithin } from './is-within.ts';

/** Which link is the present one is said by `active`. */
const EXACT = { exact: true };

const PLATFORM = [
  ['/', 'Overview', 'overview'],
  ['/apps', 'Applications', 'apps'],
  ['/audit', 'Audit log', 'audit'],
  ['/cells', 'Cells', 'cells'],
] as const satisfies readonly (readonly [string, string, IconName])[];

const OF_APP = [
  ['/apps/$app', 'Usage', 'overview'],
  ['/apps/$app/users', 'Users', 'users'],
  ['/apps/$app/conversations', 'Conversations', 'conversations'],
  ['/apps/$app/types', 'Conversation types', 'types'],
  ['/apps/$app/announcements', 'Announcements', 'announcements'],
  ['/apps/$app/webhooks', 'Webhooks', 'webhooks'],
  ['/apps/$app/exports', 'Exports', 'exports'],
  ['/apps/$app/push', 'Push', 'push'],
  ['/apps/$app/keys', 'Providers and keys', 'keys'],
  ['/apps/$app/tokens', 'Access tokens', 'tokens'],
  ['/apps/$app/validator', 'Token validator', 'validator'],
  ['/apps/$app/playground', 'Playground', 'playground'],
  ['/apps/$app/audit', 'Audit log', 'audit'],
  ['/apps/$app/settings', 'Settings', 'settings'],
] as const satisfies readonly (readonly [string, string, IconName])[];

type Present = { pathname: string; onChoice: () => void };

export function Navigation({ onChoice }: { onChoice: () => void }) {
  const { app } = useParams({ strict: false });
  const pathname = useRouterState({ select: ({ location }) => location.pathname }).replace(/\/$/, '') || '/';
  return (
    <ScrollArea type="hover" className="nav">
      <PlatformLinks {...{ pathname, onChoice }} />
      {app && (
        <>
          <Divider my="sm" />
          <AppName appUuid={app} />
          <AppLinks {...{ app, pathname, onChoice }} />
        </>
      )}
      <Divider my="sm" />
      <NavLink
        href={apiAddress('/docs')}
        target="_blank"
        label="Documentation"
        leftSection={<Icon name="docs" />}
      />
    </ScrollArea>
  );
}

function PlatformLinks({ pathname, onChoice }: Present) {
  // The log of all applications is for people who see all of them, and cells are for those who run the platform.
  const may: Partial<Record<string, boolean>> = { '/audit': useMay('viewer'), '/cells': useMay('operator') };
  return PLATFORM.filter(([to]) => may[to] ?? true).map(([to, label, icon]) => (
    <NavLink
      key={to}
      renderRoot={(props) => <Link {...props} to={to} activeOptions={EXACT} />}
      label={label}
      leftSection={<Icon name={icon} />}
      active={pathname === to}
      onClick={onChoice}
    />
  ));
}

function AppLinks({ app, pathname, onChoice }: Present & { app: string }) {
  return OF_APP.map(([to, label, icon]) => (
    <NavLink
      key={to}
      renderRoot={(props) => <Link {...props} to={to} params={{ app }} activeOptions={EXACT} />}
      label={label}
      leftSection={<Icon name={icon} />}
      active={isWithin(pathname, to.replace('$app', app))}
      onClick={onChoice}
    />
  ));
}

function AppName({ appUuid }: { appUuid: string }) {
  const { data } = useQuery(appQuery(appUuid));
  return (
    <Text size="xs" fw={650} c="dimmed" px="sm" pb={4} className="nav-title" title={data?.name}>
      {data?.name ?? 'Application'}
    </Text>
  );
}
