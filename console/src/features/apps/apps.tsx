import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { App } from '@parley/proto/parley/identity/v1/app_pb';
import { useState } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { APPS } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Loaded, Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../ui/use-action.ts';
import { AppState } from '../../ui/app-state.tsx';

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
  const [isOpen, { open, close }] = useDisclosure();
  const create = mayCreate && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      New application
    </Button>
  );
  return (
    <Page
      title="Applications"
      about="Each application has users, conversations and settings of its own, and sees nothing of the others."
      actions={create}
    >
      <Loaded query={query} what="the applications">
        {(apps) => (
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
        )}
      </Loaded>
      <CreateApp isOpen={isOpen} close={close} />
    </Page>
  );
}

function CreateApp({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState('production');
  const action = useAction({
    run: () => ADMIN.createApp({ name, environment }),
    done: 'The application was created.',
    changes: [APPS.queryKey, ['statistics']],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: ({ app }) => app && void navigate({ to: '/apps/$app/keys', params: { app: app.appUuid } }),
    });
  return (
    <FormModal
      title="New application"
      isOpen={isOpen}
      close={close}
      submit={submit}
      submitLabel="Create"
      action={action}
    >
      <TextInput
        label="Name"
        description="For people; it can be changed."
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={128}
        data-autofocus
      />
      <TextInput
        label="Environment"
        description="A lower-case word, such as production or staging. It is a part of the application's id, and stays."
        value={environment}
        onChange={(event) => setEnvironment(event.currentTarget.value)}
        required
        pattern="[a-z0-9_\-]{1,32}"
      />
    </FormModal>
  );
}
