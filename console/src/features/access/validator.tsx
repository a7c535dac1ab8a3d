import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import type { ValidateIdentityTokenResponse_Rule as Rule } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { useState, type FormEvent } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { useApp } from '../../frame/app-frame.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
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
  const [identityToken, setToken] = useState('');
  const check = useAction({
    run: () => ADMIN.validateIdentityToken({ appUuid, identityToken: identityToken.trim() }),
    changes: [],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate();
  };
  return (
    <Page
      title="Identity token validator"
      about="Paste a token that your backend signed, and see which rule it breaks. Times, the nonce and suspension are not checked, so that a token can be tried again and again."
    >
      <Section title="Token">
        <form onSubmit={submit}>
          <Stack>
            <Textarea
              label="Identity token"
              placeholder="eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiIs…"
              value={identityToken}
              onChange={(event) => setToken(event.currentTarget.value)}
              required
              autosize
              minRows={4}
              maxRows={10}
              spellCheck={false}
              classNames={{ input: 'code-input' }}
            />
            <Group>
              <Button type="submit" loading={check.isPending}>
                Check
              </Button>
            </Group>
            {check.error && <FailureNote error={check.error} title="The token could not be checked" />}
          </Stack>
        </form>
      </Section>
      {check.data && <Result valid={check.data.valid} rules={check.data.rules} />}
    </Page>
  );
}

function Result({ valid, rules }: { valid: boolean; rules: readonly Rule[] }) {
  return (
    <Section title="Result">
      <Stack>
        <Alert
          color={valid ? 'teal' : 'red'}
          variant="light"
          icon={<Icon name={valid ? 'check' : 'cross'} />}
          role="status"
        >
          {valid
            ? 'The token keeps every rule.'
            : `The token breaks ${rules.filter(({ passed }) => !passed).length} of ${rules.length} rules.`}
        </Alert>
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
      </Stack>
    </Section>
  );
}
