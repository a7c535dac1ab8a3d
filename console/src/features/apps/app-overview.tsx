import { Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Conversation, Webhook } from '@parley/contract/gen/records';
import { queryOptions } from '@tanstack/react-query';
import { statisticsQuery } from '../../api/queries.ts';
import { rest, type AppIds } from '../../api/rest.ts';
import { LazyFigures } from '../../charts/lazy-figures.tsx';
import { useApp } from '../../frame/app-frame.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Loaded, Page, Section } from '../../ui/page.tsx';
import { AppState } from '../../ui/app-state.tsx';
import { Figure } from './overview.tsx';

function countsQuery(app: AppIds) {
  return queryOptions({
    queryKey: ['counts', app.appUuid],
    queryFn: async () => {
      const [conversations, webhooks] = await Promise.all([
        rest<Conversation[]>(app, '/conversations?page_size=1'),
        rest<Webhook[]>(app, '/webhooks', { isOfWebhooks: true }),
      ]);
      return { conversations: conversations.count, webhooks: webhooks.data.length };
    },
    refetchInterval: 30_000,
  });
}

export function AppOverviewPage() {
  const app = useApp();
  const { appUuid } = app;
  const statistics = useQuery(statisticsQuery(appUuid));
  const counts = useQuery({ ...countsQuery(app), enabled: !app.suspended });
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
      <Traffic appUuid={appUuid} />
      <FirstSteps appUuid={appUuid} />
      {app.suspended && <Text size="sm">The application is suspended: resume it in its settings.</Text>}
    </Page>
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

function FirstSteps({ appUuid }: { appUuid: string }) {
  return (
    <Section title="First steps">
      <List size="sm" spacing="sm" type="ordered">
        <List.Item>
          <AppLink to="/apps/$app/keys" app={appUuid}>
            Create a provider and a key
          </AppLink>
          , with which your backend vouches for users.
        </List.Item>
        <List.Item>
          <AppLink to="/apps/$app/validator" app={appUuid}>
            Check an identity token
          </AppLink>{' '}
          that it signed.
        </List.Item>
        <List.Item>
          <AppLink to="/apps/$app/playground" app={appUuid}>
            Try requests and a live socket
          </AppLink>{' '}
          as a demonstration user.
        </List.Item>
        <List.Item>
          <AppLink to="/apps/$app/tokens" app={appUuid}>
            Create an access token
          </AppLink>{' '}
          for your servers, and{' '}
          <AppLink to="/apps/$app/webhooks" app={appUuid}>
            register a webhook
          </AppLink>
          .
        </List.Item>
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
