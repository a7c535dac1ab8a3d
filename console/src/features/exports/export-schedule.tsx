import '@mantine/core/styles/NumberInput.css';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
import { Group, MultiSelect, NumberInput, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ExportEventName, ExportScheduleInput, ExportSettings } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { Fields } from '../../ui/fields.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useValues, type FormValues } from '../../ui/form/use-values.ts';
import { namesIn } from '../../ui/names-in.ts';
import { Loaded, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../ui/use-action.ts';
import { scheduleQuery } from './queries.ts';

/** The compiler finds one that is missing. */
const EVENTS = namesIn<ExportEventName>({
  'message.sent': true,
  'message.delivered': true,
  'message.read': true,
  'message.updated': true,
  'message.deleted': true,
  'reaction.created': true,
  'reaction.deleted': true,
  'conversation.created': true,
  'conversation.updated.participants': true,
  'conversation.updated.metadata': true,
  'conversation.updated.roles': true,
  'conversation.updated.settings': true,
  'conversation.deleted': true,
  'restriction.created': true,
  'restriction.deleted': true,
  'push.delivered': true,
  'push.failed': true,
});
const LAST_HOUR = 23;

type Interval = ExportSettings['interval'];
/** `hour`: in UTC; a text while it is typed. */
type Schedule = { interval: Interval; events: ExportEventName[]; hour: number | string };

const INTERVALS: { value: Interval; label: string }[] = [
  { value: 'disabled', label: 'Disabled' },
  { value: 'daily', label: 'Daily' },
];

function scheduleOf({ interval, events, hour }: Schedule): ExportScheduleInput {
  return interval === 'daily' ? { interval, events, hour_utc: Number(hour) } : { interval };
}

export function ExportScheduleSection({ app, mayWrite }: { app: AppIds; mayWrite: boolean }) {
  const query = useQuery(scheduleQuery(app));
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
  const form = useValues<Schedule>({ interval: settings.interval, events: EVENTS, hour: 0 });
  const isDaily = form.values.interval === 'daily';
  const save = useAction({
    run: () => writeServer(app, (server) => server.configureExportSchedule(scheduleOf(form.values))),
    done: 'The schedule was saved.',
    changes: [scheduleQuery(app).queryKey],
  });
  return (
    <Form
      maw={560}
      submit={() => save.mutate()}
      submitLabel="Save the schedule"
      action={save}
      failureTitle="Failed to save the schedule"
    >
      <Group>
        <SegmentedControl {...form.choice('interval')} aria-label="Interval" data={INTERVALS} />
      </Group>
      {isDaily && <DailyFields {...form} />}
      {!isDaily && settings.interval === 'daily' && (
        <span>Events that were not exported yet are dropped when the schedule ends.</span>
      )}
    </Form>
  );
}

function DailyFields({ choice }: FormValues<Schedule>) {
  return (
    <>
      <NumberInput {...choice('hour')} label="Hour" description="In UTC." min={0} max={LAST_HOUR} />
      <MultiSelect {...choice('events')} label="Events" data={EVENTS} hidePickedOptions />
    </>
  );
}
