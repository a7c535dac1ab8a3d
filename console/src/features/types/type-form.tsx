import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/NumberInput.css';
import { Checkbox, Group, NumberInput, Select, Stack } from '@mantine/core';
import type { ConversationType } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { Form } from '../../ui/form/form.tsx';
import type { FormValues } from '../../ui/form/use-values.ts';
import { Section } from '../../ui/page.tsx';
import { ActionTable } from './action-table.tsx';
import { hasMistake, LIMITS, mistakeOf, ROLES, type Feature, type Limit, type Rules } from './rules.ts';
import { useTypeForm } from './use-type-form.ts';

type Props = { app: AppIds; type: ConversationType; mayWrite: boolean };

/** The rules of a type, all of which are saved together. */
export function TypeForm({ app, type, mayWrite }: Props) {
  const { form, save, submit } = useTypeForm(app, type);
  return (
    <Form
      submit={submit}
      submitLabel={mayWrite ? 'Save' : undefined}
      submitProps={{ disabled: hasMistake(form.values) }}
      action={save}
      failureTitle="Failed to save the type"
    >
      <fieldset disabled={!mayWrite || save.isPending} className="plain-fieldset">
        <Stack gap="lg">
          <Section title="Actions" about="The roles that may do it. Servers may do everything.">
            <ActionTable actions={form.values.actions} change={(actions) => form.change({ actions })} />
          </Section>
          <Section title="Features" about="What there is in conversations of the type.">
            <Features {...form} known={Object.keys(type.features) as Feature[]} />
          </Section>
          <Section title="Participants and limits">
            <Stack maw={560}>
              <Choices {...form} />
              <Limits {...form} />
            </Stack>
          </Section>
        </Stack>
      </fieldset>
    </Form>
  );
}

function Features({ choice, known }: FormValues<Rules> & { known: readonly Feature[] }) {
  const { value, onChange } = choice('features');
  return (
    <Checkbox.Group aria-label="Features" value={value} onChange={(names) => onChange(names as Feature[])}>
      <Group>
        {known.map((name) => (
          <Checkbox key={name} value={name} label={name} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

const CREATORS = [
  { value: 'users', label: 'Users and servers' },
  { value: 'servers', label: 'Servers alone' },
];
const HISTORIES = [
  { value: 'all', label: 'All messages from before' },
  { value: 'none', label: 'Nothing from before' },
];
const READERS = [
  { value: 'none', label: 'Nobody: they are not kept' },
  { value: 'servers', label: 'Servers' },
  { value: 'participants', label: 'Participants and servers' },
];
const LEVELS = [
  { value: 'all', label: 'All messages' },
  { value: 'mentions', label: 'Mentions' },
  { value: 'none', label: 'None' },
];

/** A choice of a form that is never empty. */
function choiceOf<Name extends keyof Rules>({ choice }: FormValues<Rules>, name: Name) {
  const { value, onChange } = choice(name);
  return {
    value: String(value),
    onChange: (chosen: string | null) => chosen !== null && onChange(chosen as Rules[Name]),
    allowDeselect: false,
  };
}

function Choices(form: FormValues<Rules>) {
  return (
    <>
      <Select {...choiceOf(form, 'create')} label="Who creates conversations" data={CREATORS} />
      <Select {...choiceOf(form, 'creator_role')} label="Role of the creator" data={[...ROLES]} />
      <Select
        {...choiceOf(form, 'newcomer_history')}
        label="What newcomers see"
        description="Unless the request that adds them says otherwise."
        data={HISTORIES}
      />
      <Select {...choiceOf(form, 'edit_history')} label="Who reads earlier versions" data={READERS} />
      <Select {...choiceOf(form, 'push_level')} label="Pushes are made of" data={LEVELS} />
    </>
  );
}

/** A field of a limit. What is out of its bounds stays as it was typed, with what is accepted. */
function limitOf({ values, choice }: FormValues<Rules>, limit: Limit) {
  return {
    ...choice(limit),
    error: mistakeOf(values, limit),
    min: LIMITS[limit][0],
    clampBehavior: 'none' as const,
    allowNegative: false,
    allowDecimal: false,
  };
}

function Limits(form: FormValues<Rules>) {
  return (
    <>
      <NumberInput
        {...limitOf(form, 'maxParticipants')}
        label="Most participants"
        description="Empty: the platform’s limit. A lower one removes nobody."
      />
      <NumberInput
        {...limitOf(form, 'slowMode')}
        label="Slow mode, in seconds"
        description="The least time between two messages of a participant, 0 to 21,600; 0: none."
      />
      <NumberInput
        {...limitOf(form, 'editWindow')}
        label="Edits are possible for, in seconds"
        description="From the time of sending. Empty: without an end."
      />
      <NumberInput
        {...limitOf(form, 'deleteWindow')}
        label="Deletions are possible for, in seconds"
        description="From the time of sending. Empty: without an end."
      />
    </>
  );
}
