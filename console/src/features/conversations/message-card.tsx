import { Box, Group, Text } from '@mantine/core';
import type { Message, MessagePart } from '@parley/contract/gen/records';
import { uuidOf, type AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOf, userIdOf } from './names.ts';
import { messagesQuery } from './queries.ts';

const TONES = { sent: 'neutral', delivered: 'info', read: 'good' } as const;
const SHOWN_STATUSES = 30;

/** `id`: of the conversation. */
type Props = { app: AppIds; id: string; message: Message };

export function MessageCard({ mayWrite, ...of }: Props & { mayWrite: boolean }) {
  const { position, sender, parts, sent_at, updated_at, recipient_status } = of.message;
  return (
    <article className="message-card" aria-label={`Message ${position}`}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {nameOf(sender)}
          </Text>
          <Time at={sent_at} c="dimmed" size="xs" />
          <Text size="xs" c="dimmed">
            {`#${position}`}
            {updated_at && ', edited'}
          </Text>
        </Group>
        {mayWrite && <DeleteMessage {...of} />}
      </Group>
      {parts.map((part) => (
        <Part key={part.id} part={part} />
      ))}
      <Statuses statuses={recipient_status} />
    </article>
  );
}

function DeleteMessage({ app, id, message }: Props) {
  return (
    <ConfirmButton
      label="Delete"
      size="compact-xs"
      title={`Delete message ${message.position}?`}
      effect="It is deleted for all participants, for good. Its position stays empty."
      run={() => writeServer(app, (server) => server.deleteMessage(id, uuidOf(message.id)))}
      done="The message was deleted."
      changes={[messagesQuery(app, id).queryKey]}
    />
  );
}

/** A body is shown as text, of any media type. */
function Part({ part: { mime_type, body, encoding, content, filename } }: { part: MessagePart }) {
  const isText = mime_type.startsWith('text/plain') && encoding === null && content === null;
  return (
    <Box mb={4}>
      {!isText && (
        <Text size="xs" c="dimmed" component="span">
          {mime_type}
          {encoding && `, ${encoding}`}
          {content && `, ${content.size?.toLocaleString('en')} bytes`}
        </Text>
      )}
      {content ? (
        <Text size="sm">
          <Download address={content.download_url} filename={filename} />
        </Text>
      ) : (
        <pre className="message-text">{body}</pre>
      )}
    </Box>
  );
}

type DownloadProps = { address: string | null | undefined; filename: string | undefined };

function Download({ address, filename }: DownloadProps) {
  if (!address) return 'The upload is not complete.';
  return (
    <a href={address} target="_blank" rel="noreferrer">
      Download {filename === undefined ? 'the content' : <bdi>{filename}</bdi>}
    </a>
  );
}

function Statuses({ statuses }: { statuses: Message['recipient_status'] }) {
  const entries = Object.entries(statuses ?? {});
  const shown = entries.slice(0, SHOWN_STATUSES);
  return (
    <Group gap={6} mt={6} role="group" aria-label="Receipts">
      {shown.map(([recipient, status]) => (
        <Tag key={recipient} tone={TONES[status]}>
          {userIdOf(recipient)}: {status}
        </Tag>
      ))}
      {entries.length > shown.length && (
        <Text size="xs" c="dimmed">
          {`and ${entries.length - shown.length} more`}
        </Text>
      )}
    </Group>
  );
}
