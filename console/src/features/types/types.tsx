import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ConversationType } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { Loaded, Page } from '../../ui/page.tsx';
import { typesQuery } from './queries.ts';

function nameColumn(app: string): Column<ConversationType> {
  return {
    id: 'name',
    header: 'Name',
    width: '2fr',
    cell: ({ name }) => (
      <Link to="/apps/$app/types/$type" params={{ app, type: name }} className="cell-link">
        {name}
      </Link>
    ),
  };
}

const COLUMNS: readonly Column<ConversationType>[] = [
  {
    id: 'create',
    header: 'Created by',
    width: '110px',
    cell: ({ create }) => create,
  },
  {
    id: 'creator',
    header: 'Role of the creator',
    width: '160px',
    isWide: true,
    cell: ({ creator_role }) => creator_role,
  },
  {
    id: 'send',
    header: 'Who sends',
    width: '2fr',
    isWide: true,
    cell: ({ actions }) => actions.send.join(', ') || 'nobody',
  },
  {
    id: 'slow',
    header: 'Slow mode',
    width: '100px',
    isWide: true,
    cell: ({ slow_mode_in_seconds: seconds }) => (seconds === 0 ? 'off' : `${seconds} s`),
  },
];

export function TypesPage() {
  const app = useApp();
  const query = useQuery(typesQuery(app));
  const mayWrite = useMay('owner', app.appUuid);
  const columns = useMemo(() => [nameColumn(app.appUuid), ...COLUMNS], [app.appUuid]);
  return (
    <Page
      title="Conversation types"
      about="The rules of each kind of conversation: who may do what, what there is, and its limits."
      actions={mayWrite && <NewType app={app} />}
    >
      <Loaded query={query} what="the types">
        {(types) => (
          <FilteredTable
            label="Types"
            rows={types}
            columns={columns}
            idOf={({ name }) => name}
            filter={{ hint: 'Filter by name', textsOf: ({ name }) => [name] }}
            icon="types"
            empty={null}
          />
        )}
      </Loaded>
    </Page>
  );
}

function NewType({ app }: { app: AppIds }) {
  const navigate = useNavigate();
  const { values, text, change } = useValues({ name: '' });
  return (
    <FormDialog
      opener={{ label: 'New type', icon: 'plus' }}
      title="New conversation type"
      submitLabel="Create"
      run={() => createType(app, values.name)}
      done="The type was created, with the default rules."
      changes={[typesQuery(app).queryKey]}
      renew={() => change({ name: '' })}
      after={({ name }) =>
        void navigate({ to: '/apps/$app/types/$type', params: { app: app.appUuid, type: name } })
      }
    >
      <TextInput
        {...text('name')}
        label="Name"
        description="1 to 32 of a to z, 0 to 9, _ and -. It is a part of the application’s code, and stays."
        pattern="[a-z0-9_\-]{1,32}"
        required
        maxLength={32}
        data-autofocus
      />
    </FormDialog>
  );
}

/** A `PUT` would give a type that exists its default rules. */
function createType(app: AppIds, name: string): Promise<ConversationType> {
  return writeServer(app, async (server) => {
    const types = await server.listTypes();
    if (types.some((type) => type.name === name)) throw new Error(`There is a type named “${name}” already.`);
    return server.putType(name, {});
  });
}
