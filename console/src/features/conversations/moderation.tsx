import '@mantine/core/styles/NumberInput.css';
import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Conversation, ConversationPatch } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { Fields } from '../../ui/fields.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { PlainForm } from '../../ui/form/form.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Section } from '../../ui/page.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../ui/use-action.ts';
import { conversationQuery, restrictionsQuery } from './queries.ts';
import { Restrictions } from './restrictions.tsx';
import { Roles } from './roles.tsx';

type Props = { app: AppIds; id: string; conversation: Conversation };
const LONGEST_S = 21_600;

/** The type of a conversation, its roles, freezing, slow mode, and who is restricted there. */
export function Moderation(props: Props & { mayWrite: boolean }) {
  const { app, id, conversation, mayWrite } = props;
  const { type = 'default', frozen } = conversation;
  return (
    <>
      <Section
        title="Rules"
        actions={mayWrite && <FreezeButton {...props} isFrozen={frozen !== undefined} />}
      >
        <Fields
          rows={[
            [
              'Type',
              <Link
                key="type"
                to="/apps/$app/types/$type"
                params={{ app: app.appUuid, type }}
                className="text-link"
              >
                {type}
              </Link>,
            ],
            ['State', frozen ? <Frozen key="frozen" at={frozen.at} /> : 'open'],
            ['Slow mode', <SlowMode key={`slow ${conversation.slow_mode_in_seconds}`} {...props} />],
            ['Roles', <Roles key="roles" {...props} />],
          ]}
        />
      </Section>
      {mayWrite && <RestrictionsOf app={app} id={id} conversation={conversation} />}
    </>
  );
}

function Frozen({ at }: { at: string }) {
  return (
    <>
      <Tag tone="waiting">frozen</Tag> <Time at={at} />
    </>
  );
}

function usePatch({ app, id }: Pick<Props, 'app' | 'id'>, done: string) {
  return useAction({
    run: (patch: ConversationPatch) => writeServer(app, (server) => server.updateConversation(id, patch)),
    done,
    changes: [conversationQuery(app, id).queryKey],
  });
}

function FreezeButton({ app, id, isFrozen }: Props & { isFrozen: boolean }) {
  return (
    <ConfirmButton
      label={isFrozen ? 'Unfreeze' : 'Freeze'}
      color={isFrozen ? 'teal' : 'red'}
      title={isFrozen ? 'Unfreeze the conversation?' : 'Freeze the conversation?'}
      effect={
        isFrozen
          ? 'Participants write again, as their roles allow.'
          : 'Only roles that may send in a frozen conversation send, react and edit until it is unfrozen.'
      }
      run={() =>
        writeServer(app, (server) =>
          server.updateConversation(id, [{ operation: 'set', property: 'frozen', value: !isFrozen }]),
        )
      }
      done={isFrozen ? 'The conversation is open.' : 'The conversation is frozen.'}
      changes={[conversationQuery(app, id).queryKey]}
    />
  );
}

function SlowMode({ app, id, conversation, mayWrite }: Props & { mayWrite: boolean }) {
  const present = conversation.slow_mode_in_seconds ?? 0;
  const { values, choice } = useValues<{ seconds: number | string }>({ seconds: present });
  const save = usePatch({ app, id }, 'Slow mode was changed.');
  if (!mayWrite) return present === 0 ? 'as the type says' : `${present} s`;
  const value = Number(values.seconds);
  const isAccepted = values.seconds !== '' && Number.isInteger(value) && value >= 0 && value <= LONGEST_S;
  return (
    <PlainForm
      className="bar"
      submit={() => save.mutate([{ operation: 'set', property: 'slow_mode_in_seconds', value }])}
    >
      <NumberInput
        {...choice('seconds')}
        aria-label="Slow mode in seconds; 0: as the type says"
        size="xs"
        w={120}
        min={0}
        clampBehavior="none"
        allowNegative={false}
        allowDecimal={false}
        error={!isAccepted && `0 to ${LONGEST_S.toLocaleString('en')} s`}
        suffix=" s"
      />
      <Button
        type="submit"
        size="xs"
        variant="default"
        disabled={!isAccepted || value === present}
        loading={save.isPending}
      >
        Save
      </Button>
      {save.error && <FailureNote error={save.error} />}
    </PlainForm>
  );
}

function RestrictionsOf({ app, id, conversation }: Props) {
  const query = useQuery(restrictionsQuery(app, id));
  return <Restrictions {...{ app, id, conversation, query }} />;
}
