import { SegmentedControl, Text, TextInput } from '@mantine/core';
import type { ReplayInput } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { serverKey } from '../../api/server-queries.ts';
import { writeServer } from '../../api/server.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues, type TextField } from '../../ui/form/use-values.ts';
import { announce } from '../../ui/toasts.tsx';
import { localMinutes } from './local-minutes.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

type State = 'dead' | 'delivered';
/** Times are local, as fields of the browser have them. */
type Span = { from: string; until: string; status: State };

const STATES: { value: State; label: string }[] = [
  { value: 'dead', label: 'Dead letters' },
  { value: 'delivered', label: 'Delivered' },
];

function lastDay(): Span {
  const now = Date.now();
  return { from: localMinutes(now - DAY_MS), until: localMinutes(now + MINUTE_MS), status: 'dead' };
}

function replayOf({ from, until, status }: Span): ReplayInput {
  return { from: new Date(from).toISOString(), until: new Date(until).toISOString(), status };
}

/** Replays all deliveries of the events of a time. */
export function ReplaySpan({ app, webhookId }: { app: AppIds; webhookId: string }) {
  const { values, text, choice } = useValues(lastDay);
  return (
    <FormDialog
      opener={{ label: 'Replay a span' }}
      title="Replay the deliveries of a span"
      submitLabel="Replay"
      run={() => writeServer(app, (server) => server.replayDeliveries(webhookId, replayOf(values)))}
      changes={[serverKey(app)]}
      after={({ count }) => announce(`${count} deliveries are replayed.`)}
    >
      <Text size="sm">
        The target gets them once more, under the same ids, and with the whole schedule of attempts.
      </Text>
      <SegmentedControl {...choice('status')} aria-label="Which deliveries" data={STATES} />
      <TimeField {...text('from')} label="Events from" />
      <TimeField {...text('until')} label="Until" />
    </FormDialog>
  );
}

function TimeField(props: TextField & { label: string }) {
  return <TextInput {...props} type="datetime-local" required />;
}
