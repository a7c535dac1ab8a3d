import { useQuery } from '@tanstack/react-query';
import type { ScheduledMessage } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import { pathTo } from '../../api/path.ts';
import { recordQuery } from '../../api/queries.ts';
import { rest, type AppIds } from '../../api/rest.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOf, uuidOf } from './conversations.tsx';

const COLUMNS: readonly Column<ScheduledMessage>[] = [
  { id: 'at', header: 'Sent', width: '120px', cell: ({ send_at }) => <Time at={send_at} /> },
  { id: 'sender', header: 'Sender', width: '1fr', cell: ({ sender }) => nameOf(sender) },
  {
    id: 'text',
    header: 'Text',
    width: '2fr',
    isWide: true,
    cell: ({ parts }) => parts.map(({ body, mime_type }) => body ?? mime_type).join(' '),
  },
];

type Props = { app: AppIds; path: string; mayWrite: boolean };

const REFETCH_MS = 5_000;

/** Messages that wait for their time. Nothing is shown without one. */
export function Scheduled({ app, path, mayWrite }: Props) {
  const options = recordQuery<ScheduledMessage[]>(app, `${path}/scheduled_messages`);
  const { data = [] } = useQuery({ ...options, refetchInterval: REFETCH_MS });
  const columns = useMemo(() => {
    const actions: Column<ScheduledMessage> = {
      id: 'actions',
      header: 'Actions',
      width: '100px',
      cell: ({ id }) => (
        <ConfirmButton
          label="Cancel"
          title="Cancel the scheduled message?"
          effect="It is not sent, and no participant sees it."
          run={() => rest(app, path + pathTo`/scheduled_messages/${uuidOf(id)}`, { method: 'DELETE' })}
          done="The scheduled message was cancelled."
          changes={[['rest', app.appUuid, `${path}/scheduled_messages`]]}
        />
      ),
    };
    return mayWrite ? [...COLUMNS, actions] : COLUMNS;
  }, [app, path, mayWrite]);
  if (data.length === 0) return null;
  return (
    <Section title="Scheduled messages">
      <FilteredTable
        label="Scheduled messages"
        rows={data}
        columns={columns}
        idOf={({ id }) => id}
        filter={{
          name: 'scheduled',
          hint: 'Filter by sender or text',
          textsOf: ({ sender, parts }) => [nameOf(sender), ...parts.map(({ body }) => body ?? '')],
        }}
        icon="conversations"
        empty={null}
      />
    </Section>
  );
}
