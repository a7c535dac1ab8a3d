import { Group, List, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { App } from '@parley/proto/parley/identity/v1/app_pb';
import type { AppIds } from '../../api/app-ids.ts';
import { statisticsQuery } from '../../api/queries.ts';
import { readServer, readServerList } from '../../api/server.ts';
import { LazyFigures } from '../../charts/lazy-figures.tsx';
import { useApp } from '../../frame/app-frame.tsx';
import { AppState } from '../../ui/app-state.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Loaded, Page, Section } from '../../ui/page.tsx';
import { Figure } from './figure.tsx';

function countsQuery(app: AppIds) {
  return queryOptions({
    queryKey: ['counts', app.appUuid],
    queryFn: async () => {
      const [conversations, webhooks] = await Promise.all([
        readServerList(app, (server) => server.listConversations({ pageSize: 1 })),
        readServer(app, (server) => server.listWebhooks()),
      ]);
      return { conversations: conversations.count, webhooks: webhooks.length };
    },
    refetchInterval: 30_000,
  });
}

export function AppOverviewPage() {
  const app = useApp();
  return (
    <Page
      title={app.name}
      about={
        <Group gap="sm" component="span">
          <AppState isSuspended={app.suspended} />
          <CopyText text={app.id} label="Copy the application id" />
        </Group>
      }
    >
      <Numbers app={app} />
      <Traffic appUuid={app.appUuid} />
      <FirstSteps appUuid={app.appUuid} />
      {app.suspended && <Text size="sm">The application is suspended: resume it in its settings.</Text>}
    </Page>
  );
}

function Numbers({ app }: { app: App }) {
  const statistics = useQuery(statisticsQuery(app.appUuid));
  const counts = useQuery({ ...countsQuery(app), enabled: !app.suspended });
  return (
    <Loaded query={statistics} what="the numbers">
      {({ users, sessions }) => (
        <div className="numbers">
          <Figure label="Users" value={users} />
          <Figure label="Sessions of users" value={sessions} />
          <Figure label="Conversations" value={counts.data?.conversations} />
          <Figure label="Webhooks" value={counts.data?.webhooks} />
        </div>
      )}
    </Loaded>
  );
}

function Traffic({ appUuid }: { appUuid: string }) {
  const search = useSearch({ from: '/apps/$app/' });
  const navigate = useNavigate({ from: '/apps/$app/' });
  return (
    <LazyFigures
      appUuid={appUuid}
      search={search}
      onSearch={(next) => void navigate({ search: (known) => ({ ...known, ...next }), replace: true })}
      hint={
        <>
          Send a first message in the{' '}
          <AppLink to="/apps/$app/playground" app={appUuid}>
            playground
          </AppLink>
          .
        </>
      }
    />
  );
}

/** A link, and the text behind it. */
type Step = readonly [to: Target, link: string, after: string];

const STEPS: readonly (readonly Step[])[] = [
  [['/apps/$app/keys', 'Create a provider and a key', ', with which your backend vouches for users.']],
  [['/apps/$app/validator', 'Check an identity token', ' that it signed.']],
  [['/apps/$app/playground', 'Try requests and a live socket', ' as a demonstration user.']],
  [
    ['/apps/$app/tokens', 'Create an access token', ' for your servers, and '],
    ['/apps/$app/webhooks', 'register a webhook', '.'],
  ],
];

function FirstSteps({ appUuid }: { appUuid: string }) {
  return (
    <Section title="First steps">
      <List size="sm" spacing="sm" type="ordered">
        {STEPS.map((links) => (
          <List.Item key={links[0]?.[0]}>
            {links.map(([to, link, after]) => (
              <span key={to}>
                <AppLink to={to} app={appUuid}>
                  {link}
                </AppLink>
                {after}
              </span>
            ))}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

type Target =
  | '/apps/$app/keys'
  | '/apps/$app/validator'
  | '/apps/$app/playground'
  | '/apps/$app/tokens'
  | '/apps/$app/webhooks';

function AppLink({ to, app, children }: { to: Target; app: string; children: string }) {
  return (
    <Link to={to} params={{ app }} className="text-link">
      {children}
    </Link>
  );
}
