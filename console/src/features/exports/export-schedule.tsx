import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { Button, Group, MultiSelect, NumberInput, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ExportEventName, ExportSettings } from '@parley/contract/gen/records';
import { useState, type FormEvent } from 'react';
import { recordQuery } from '../../api/queries.ts';
import { rest, type AppIds } from '../../api/rest.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Loaded, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../ui/use-action.ts';

/** The compiler finds one that is missing. */
const EVENTS = Object.keys({
  'message.sent': true,
  'message.delivered': true,
  'message.read': true,
  'message.deleted': true,
  'conversation.created': true,
  'conversation.updated.participants': true,
  'conversation.updated.metadata': true,
  'conversation.deleted': true,
  'push.delivered': true,
  'push.failed': true,
} satisfies Record<ExportEventName, true>);
const LAST_HOUR = 23;

type Props = { app: AppIds; mayWrite: boolean };

export function ExportScheduleSection({ app, mayWrite }: Props) {
  const query = useQuery(recordQuery<ExportSettings>(app, '/export_schedule'));
  return (
    <Section title="Schedule" about="Each archive holds the events since the one before.">
      <Loaded query={query} what="the schedule">
        {(settings) => (
          <Stack>
            <Fields
              rows={[
                ['Interval', settings.interval],
                ['Last export', <Time key="last" at={settings.last_export_at} />],
                ['Next export', <Time key="next" at={settings.next_export_at} />],
              ]}
            />
            {mayWrite && <ScheduleForm app={app} settings={settings} />}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function ScheduleForm({ app, settings }: { app: AppIds; settings: ExportSettings }) {
  const [interval, setInterval] = useState<string>(settings.interval);
  const [events, setEvents] = useState(EVENTS);
  const [hour, setHour] = useState<number | string>(0);
  const action = useAction({
    run: () =>
      rest(app, '/export_schedule', {
        method: 'PUT',
        body: interval === 'daily' ? { interval, events, hour_utc: Number(hour) } : { interval },
      }),
    done: 'The schedule was saved.',
    changes: [['rest', app.appUuid, '/export_schedule']],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <Group>
          <SegmentedControl
            aria-label="Interval"
            value={interval}
            onChange={setInterval}
            data={[
              { value: 'disabled', label: 'Disabled' },
              { value: 'daily', label: 'Daily' },
            ]}
          />
        </Group>
        {interval === 'daily' ? (
          <>
            <NumberInput
              label="Hour"
              description="In UTC."
              value={hour}
              onChange={setHour}
              min={0}
              max={LAST_HOUR}
            />
            <MultiSelect label="Events" data={EVENTS} value={events} onChange={setEvents} hidePickedOptions />
          </>
        ) : (
          settings.interval === 'daily' && (
            <span>Events that were not exported yet are dropped when the schedule ends.</span>
          )
        )}
        {action.error && <FailureNote error={action.error} title="Failed to save the schedule" />}
        <Group>
          <Button type="submit" loading={action.isPending}>
            Save the schedule
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
