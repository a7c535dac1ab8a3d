import { Button, Group, Select, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { apiAddress } from '../../api/api-url.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { Caller } from './caller.ts';
import { sendRequest, takesBody, type Shown, type Written } from './send-request.ts';

const FIRST_FAILURE = 400;

/** Any request of a caller; method and path are a part of the address. */
export function RequestForm({ caller }: { caller: Caller }) {
  const { method = 'GET', path = caller.examplePath } = useSearch({ from: '/apps/$app/playground' });
  const navigate = useNavigate({ from: '/apps/$app/playground' });
  const [body, setBody] = useState('');
  const send = useMutation({ mutationFn: (written: Written) => sendRequest(caller, written) });
  const change = (next: Partial<Target>) =>
    void navigate({ search: (before) => ({ ...before, method, path, ...next }), replace: true });
  return (
    <Section title="Request" about={<About caller={caller} />}>
      <Form
        submit={() => send.mutate({ method, path, body })}
        action={send}
        failureTitle="The request was not answered"
        result={send.data && <AnswerView answer={send.data} />}
      >
        <TargetFields {...{ method, path, change }} methods={caller.methods} isPending={send.isPending} />
        {takesBody(method) && <BodyField body={body} setBody={setBody} />}
      </Form>
    </Section>
  );
}

function About({ caller }: { caller: Caller }) {
  return (
    <>
      {caller.about} The documentation has the{' '}
      <a href={apiAddress('/docs/rest/')} target="_blank" rel="noreferrer">
        reference of all requests
      </a>
      .
    </>
  );
}

type Target = Pick<Written, 'method' | 'path'>;
type TargetProps = Target & {
  change: (next: Partial<Target>) => void;
  methods: readonly string[];
  isPending: boolean;
};

function TargetFields({ method, path, change, methods, isPending }: TargetProps) {
  return (
    <Group align="flex-end">
      <Select
        label="Method"
        data={[...methods]}
        value={method}
        onChange={(next) => change({ method: next ?? 'GET' })}
        allowDeselect={false}
        w={120}
      />
      <TextInput
        label="Path"
        value={path}
        onChange={(event) => change({ path: event.currentTarget.value })}
        required
        pattern="/.*"
        classNames={{ input: 'code-input' }}
        className="search-field"
      />
      <Button type="submit" loading={isPending}>
        Send
      </Button>
    </Group>
  );
}

function BodyField({ body, setBody }: { body: string; setBody: (body: string) => void }) {
  return (
    <Textarea
      label="Body"
      placeholder='{ "participants": ["ada"], "distinct": false }'
      value={body}
      onChange={(event) => setBody(event.currentTarget.value)}
      autosize
      minRows={3}
      maxRows={16}
      classNames={{ input: 'code-input' }}
    />
  );
}

function AnswerView({ answer: { status, requestId, milliseconds, text } }: { answer: Shown }) {
  return (
    <Stack gap="xs">
      <Group gap="sm" role="status">
        <Tag tone={status < FIRST_FAILURE ? 'good' : 'bad'}>{status}</Tag>
        <Text size="sm">{milliseconds} ms</Text>
        {requestId && <CopyText text={requestId} label="Copy the request id" />}
      </Group>
      {text && <CodeBlock text={text} label="Body of the answer" />}
    </Stack>
  );
}
