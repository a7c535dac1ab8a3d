import { Alert, Stack, Text, Textarea } from '@mantine/core';
import type { ValidateIdentityTokenResponse_Rule as Rule } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { ADMIN } from '../../api/admin.ts';
import { useApp } from '../../frame/app-frame.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useValues, type TextField } from '../../ui/form/use-values.ts';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Page, Section } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';

const COLUMNS: readonly Column<Rule>[] = [
  {
    id: 'passed',
    header: 'Holds',
    width: '60px',
    cell: ({ passed }) => (
      <Text span c={passed ? 'var(--good)' : 'var(--bad)'} aria-label={passed ? 'yes' : 'no'} role="img">
        <Icon name={passed ? 'check' : 'cross'} />
      </Text>
    ),
  },
  { id: 'name', header: 'Check', width: '2fr', cell: ({ name }) => <code>{name}</code> },
  {
    id: 'reason',
    header: 'Reason',
    width: '3fr',
    cell: ({ passed, reason, message }) => (
      <span title={`${reason} ${message}`}>{passed ? '' : `${message} (${reason})`}</span>
    ),
  },
];

export function ValidatorPage() {
  const { appUuid } = useApp();
  const { values, text } = useValues({ token: '' });
  const check = useAction({
    run: () => ADMIN.validateIdentityToken({ appUuid, identityToken: values.token.trim() }),
    changes: [],
  });
  return (
    <Page
      title="Identity token validator"
      about="Paste a token that your backend signed, and see which rule it breaks. Times, the nonce and suspension are not checked, so that a token can be tried again and again."
    >
      <Section title="Token">
        <Form
          submit={() => check.mutate()}
          submitLabel="Check"
          action={check}
          failureTitle="The token could not be checked"
        >
          <TokenField {...text('token')} />
        </Form>
      </Section>
      {check.data && <Result valid={check.data.valid} rules={check.data.rules} />}
    </Page>
  );
}

function TokenField(input: TextField) {
  return (
    <Textarea
      {...input}
      label="Identity token"
      placeholder="eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiIs…"
      required
      autosize
      minRows={4}
      maxRows={10}
      spellCheck={false}
      classNames={{ input: 'code-input' }}
    />
  );
}

function Result({ valid, rules }: { valid: boolean; rules: readonly Rule[] }) {
  const broken = rules.filter(({ passed }) => !passed).length;
  return (
    <Section title="Result">
      <Stack>
        <Alert
          color={valid ? 'teal' : 'red'}
          variant="light"
          icon={<Icon name={valid ? 'check' : 'cross'} />}
          role="status"
        >
          {valid ? 'The token keeps every rule.' : `The token breaks ${broken} of ${rules.length} rules.`}
        </Alert>
        <RulesTable rules={rules} />
      </Stack>
    </Section>
  );
}

function RulesTable({ rules }: { rules: readonly Rule[] }) {
  return (
    <FilteredTable
      label="Checks"
      rows={rules}
      columns={COLUMNS}
      idOf={({ name }) => name}
      filter={{
        hint: 'Filter by rule, or “failed”',
        textsOf: ({ name, passed }) => [name, passed ? 'passed' : 'failed'],
      }}
      icon="validator"
      empty={<Empty icon="validator" title="There was nothing to check" />}
    />
  );
}
