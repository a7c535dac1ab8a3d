import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { App } from '@parley/proto/parley/identity/v1/app_pb';
import { ADMIN } from '../../api/admin.ts';
import { APPS } from '../../api/queries.ts';
import { STATISTICS_KEY } from '../../api/query-keys.ts';
import { useMay } from '../../api/session.ts';
import { AppState } from '../../ui/app-state.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { Empty, Loaded, Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

const COLUMNS: readonly Column<App>[] = [
  {
    id: 'name',
    header: 'Name',
    width: '2fr',
    cell: ({ appUuid, name }) => (
      <Link to="/apps/$app" params={{ app: appUuid }} className="cell-link">
        {name}
      </Link>
    ),
  },
  {
    id: 'environment',
    header: 'Environment',
    width: '1fr',
    isWide: true,
    cell: ({ environment }) => environment,
  },
  {
    id: 'state',
    header: 'State',
    width: '110px',
    cell: ({ suspended }) => <AppState isSuspended={suspended} />,
  },
  {
    id: 'uuid',
    header: 'UUID',
    width: '2fr',
    isWide: true,
    cell: ({ appUuid, name }) => <CopyText text={appUuid} label={`Copy the UUID of ${name}`} />,
  },
  {
    id: 'created',
    header: 'Created',
    width: '130px',
    isWide: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

export function AppsPage() {
  const query = useQuery(APPS);
  const mayCreate = useMay('owner');
  return (
    <Page
      title="Applications"
      about="Each application has users, conversations and settings of its own, and sees nothing of the others."
      actions={mayCreate && <CreateApp />}
    >
      <Loaded query={query} what="the applications">
        {(apps) => <AppsTable apps={apps} />}
      </Loaded>
    </Page>
  );
}

function AppsTable({ apps }: { apps: readonly App[] }) {
  return (
    <FilteredTable
      label="Applications"
      rows={apps}
      columns={COLUMNS}
      idOf={({ appUuid }) => appUuid}
      filter={{
        hint: 'Filter by name, environment or UUID',
        textsOf: ({ name, environment, appUuid }) => [name, environment, appUuid],
      }}
      icon="apps"
      empty={
        <Empty icon="apps" title="There is no application yet">
          Create one: its users, keys and conversations live in it.
        </Empty>
      }
    />
  );
}

function CreateApp() {
  const navigate = useNavigate();
  const { values, text } = useValues({ name: '', environment: 'production' });
  return (
    <FormDialog
      opener={{ label: 'New application', icon: 'plus' }}
      title="New application"
      submitLabel="Create"
      run={() => ADMIN.createApp(values)}
      done="The application was created."
      changes={[APPS.queryKey, STATISTICS_KEY]}
      after={({ app }) => app && void navigate({ to: '/apps/$app/keys', params: { app: app.appUuid } })}
    >
      <TextInput
        {...text('name')}
        label="Name"
        description="For people; it can be changed."
        required
        maxLength={128}
        data-autofocus
      />
      <TextInput
        {...text('environment')}
        label="Environment"
        description="A lower-case word, such as production or staging. It is a part of the application's id, and stays."
        required
        pattern="[a-z0-9_\-]{1,32}"
      />
    </FormDialog>
  );
}
