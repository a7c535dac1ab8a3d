import { Button, Group, Select, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { apiAddress } from '../../api/api-url.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Section } from '../../ui/page.tsx';
import type { Caller } from './caller.ts';
import { Tag } from '../../ui/tag.tsx';

const FIRST_FAILURE = 400;

type Answer = { status: number; requestId: string | null; milliseconds: number; text: string };
type Sent = { method: string; path: string; body: string };

/** Any request of a caller; method and path are a part of the address. */
export function RequestForm({ caller }: { caller: Caller }) {
  const { method = 'GET', path = caller.examplePath } = useSearch({ from: '/apps/$app/playground' });
  const navigate = useNavigate({ from: '/apps/$app/playground' });
  const [body, setBody] = useState('');
  const send = useMutation({ mutationFn: (sent: Sent) => sendRequest(caller, sent) });
  const change = (next: Partial<Pick<Sent, 'method' | 'path'>>) =>
    void navigate({ search: (before) => ({ ...before, method, path, ...next }), replace: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate({ method, path, body });
  };
  const isBodiless = method === 'GET' || method === 'DELETE';
  return (
    <Section
      title="Request"
      about={
        <>
          {caller.about} The documentation has the{' '}
          <a href={apiAddress('/docs/rest/')} target="_blank" rel="noreferrer">
            reference of all requests
          </a>
          .
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack>
          <Group align="flex-end">
            <Select
              label="Method"
              data={[...caller.methods]}
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
            <Button type="submit" loading={send.isPending}>
              Send
            </Button>
          </Group>
          {!isBodiless && <BodyField body={body} setBody={setBody} />}
          {send.error && <FailureNote error={send.error} title="The request was not answered" />}
          {send.data && <AnswerView answer={send.data} />}
        </Stack>
      </form>
    </Section>
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

function AnswerView({ answer: { status, requestId, milliseconds, text } }: { answer: Answer }) {
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

async function sendRequest(caller: Caller, { method, path, body }: Sent): Promise<Answer> {
  const hasBody = body !== '' && method !== 'GET' && method !== 'DELETE';
  const { pathname, search } = new URL(path, location.origin);
  const headers = await caller.headersOf(method, pathname);
  const startedAt = performance.now();
  const response = await fetch(apiAddress(pathname + search), {
    method,
    headers: {
      ...headers,
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    body: hasBody ? body : null,
    credentials: 'omit',
  });
  const text = await response.text();
  const milliseconds = Math.round(performance.now() - startedAt);
  const requestId = response.headers.get('x-request-id');
  return { status: response.status, requestId, milliseconds, text: indented(text) };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
