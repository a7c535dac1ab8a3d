import { Box, Group, Text } from '@mantine/core';
import type { Message, MessagePart } from '@parley/contract/gen/records';
import { pathTo } from '../../api/path.ts';
import { rest, type AppIds } from '../../api/rest.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOf, uuidOf } from './conversations.tsx';
import { Tag } from '../../ui/tag.tsx';

const TONES = { sent: 'neutral', delivered: 'info', read: 'good' } as const;
const SHOWN_STATUSES = 30;

type Props = { app: AppIds; path: string; message: Message; mayWrite: boolean };

export function MessageCard({ app, path, message, mayWrite }: Props) {
  const { id, position, sender, parts, sent_at, updated_at, recipient_status } = message;
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
        {mayWrite && (
          <ConfirmButton
            label="Delete"
            size="compact-xs"
            title={`Delete message ${position}?`}
            effect="It is deleted for all participants, for good. Its position stays empty."
            run={() => rest(app, path + pathTo`/messages/${uuidOf(id)}`, { method: 'DELETE' })}
            done="The message was deleted."
            changes={[['rest', app.appUuid, `${path}/messages`]]}
          />
        )}
      </Group>
      {parts.map((part) => (
        <Part key={part.id} part={part} />
      ))}
      <Statuses statuses={recipient_status} />
    </article>
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
          {content.download_url ? (
            <a href={content.download_url} target="_blank" rel="noreferrer">
              Download {filename === undefined ? 'the content' : <bdi>{filename}</bdi>}
            </a>
          ) : (
            'The upload is not complete.'
          )}
        </Text>
      ) : (
        <pre className="message-text">{body}</pre>
      )}
    </Box>
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

function userIdOf(identity: string): string {
  const encoded = uuidOf(identity);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
