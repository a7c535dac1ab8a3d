import { useQuery } from '@tanstack/react-query';
import type { ScheduledMessage } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import { uuidOf, type AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOf } from './names.ts';
import { scheduledQuery } from './queries.ts';

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

/** `id`: of the conversation. */
type Props = { app: AppIds; id: string };

const REFETCH_MS = 5_000;

/** Messages that wait for their time. Nothing is shown without one. */
export function Scheduled({ app, id, mayWrite }: Props & { mayWrite: boolean }) {
  const { data = [] } = useQuery({ ...scheduledQuery(app, id), refetchInterval: REFETCH_MS });
  const columns = useMemo(
    () => (mayWrite ? [...COLUMNS, actionsColumn({ app, id })] : COLUMNS),
    [app, id, mayWrite],
  );
  if (data.length === 0) return null;
  return (
    <Section title="Scheduled messages">
      <FilteredTable
        label="Scheduled messages"
        rows={data}
        columns={columns}
        idOf={(message) => message.id}
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

function actionsColumn({ app, id }: Props): Column<ScheduledMessage> {
  return {
    id: 'actions',
    header: 'Actions',
    width: '100px',
    cell: (message) => (
      <ConfirmButton
        label="Cancel"
        title="Cancel the scheduled message?"
        effect="It is not sent, and no participant sees it."
        run={() => writeServer(app, (server) => server.cancelScheduledMessage(id, uuidOf(message.id)))}
        done="The scheduled message was cancelled."
        changes={[scheduledQuery(app, id).queryKey]}
      />
    ),
  };
}
