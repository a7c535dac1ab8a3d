import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { Fields } from '../../ui/fields.tsx';
import { Loaded, Section } from '../../ui/page.tsx';
import { NEW_TERM, TermFields, termOf } from '../../ui/restriction-fields.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { restrictionQuery } from './queries.ts';

type Props = { app: AppIds; user: string };

/** The mute of a user in the whole application. */
export function RestrictionSection({ app, user }: Props) {
  const query = useQuery(restrictionQuery(app, user));
  return (
    <Section
      title="Restriction"
      about="A user who is muted reads every conversation, and writes in none, until it ends. A shadow restriction of a server is not shown here."
      actions={<MuteActions app={app} user={user} />}
    >
      <Loaded query={query} what="the restriction">
        {({ restriction }) =>
          restriction ? (
            <Fields
              rows={[
                ['State', <Tag key="state" tone="waiting">{`${restriction.type}d`}</Tag>],
                ['Ends', restriction.until === null ? 'never' : <Time key="until" at={restriction.until} />],
                ['Reason', restriction.reason],
              ]}
            />
          ) : (
            'No conversation of the user shows one.'
          )
        }
      </Loaded>
    </Section>
  );
}

function MuteActions(props: Props) {
  return (
    <div className="bar">
      <Mute {...props} />
      <Lift {...props} />
    </div>
  );
}

function Mute({ app, user }: Props) {
  const { values, change } = useValues(NEW_TERM);
  return (
    <FormDialog
      opener={{ label: 'Mute' }}
      title={`Mute ${user} everywhere`}
      submitLabel="Mute"
      run={() =>
        writeServer(app, (server) => server.putUserRestriction(user, { type: 'mute', ...termOf(values) }))
      }
      done="The user was muted in all conversations."
      changes={[restrictionQuery(app, user).queryKey]}
      renew={() => change(NEW_TERM)}
    >
      <Text size="sm">
        It replaces the restriction of the user in the whole application, also a shadow restriction, which is
        not shown here.
      </Text>
      <TermFields values={values} change={change} />
    </FormDialog>
  );
}

function Lift({ app, user }: Props) {
  return (
    <ConfirmButton
      label="Lift"
      color="teal"
      title={`Lift the restriction of ${user}?`}
      effect="The user writes again, where no conversation restricts them. A shadow restriction, which is not shown here, ends as well: what the user sends reaches others again."
      run={() => writeServer(app, (server) => server.deleteUserRestriction(user))}
      done="The restriction was lifted."
      changes={[restrictionQuery(app, user).queryKey]}
    />
  );
}
