import type { ConversationType, ConversationTypeInput } from '@parley/contract/gen/records';
import { useEffect, useState } from 'react';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { useValues } from '../../ui/form/use-values.ts';
import { useAction } from '../../ui/use-action.ts';
import { typesQuery } from './queries.ts';
import { inputOf, isSame, rulesOf } from './rules.ts';

/** The form of a type. It follows changes of other people until something is edited, and does not overwrite them afterwards. */
export function useTypeForm(app: AppIds, type: ConversationType) {
  const [begun, setBegun] = useState(type);
  const form = useValues(rulesOf(type));
  const begin = (from: ConversationType) => {
    setBegun(from);
    form.change(rulesOf(from));
  };
  const save = useAction({
    run: () => replaceType(app, begun, inputOf(form.values, begun)),
    done: 'The type was saved; it holds for every act from now on.',
    changes: [typesQuery(app).queryKey],
  });
  const isEdited = !isSame(form.values, rulesOf(begun));
  const isOutdated = !isSame(type, begun);
  useEffect(() => {
    if (isOutdated && !isEdited) begin(type);
  }, [type, isOutdated, isEdited]);
  return { form, save, submit: () => save.mutate(undefined, { onSuccess: begin }) };
}

/** A `PUT` replaces all rules: it is refused here if they are others than those that the form began with. */
function replaceType(app: AppIds, begun: ConversationType, input: ConversationTypeInput) {
  return writeServer(app, async (server) => {
    const types = await server.listTypes();
    const present = types.find(({ name }) => name === begun.name);
    if (!isSame(present, begun))
      throw new Error(
        'The type was changed meanwhile. Load the page again to see its rules, and edit those.',
      );
    return server.putType(begun.name, input);
  });
}
