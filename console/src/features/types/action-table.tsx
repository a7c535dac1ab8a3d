import { Checkbox } from '@mantine/core';
import type { ConversationType } from '@parley/contract/gen/records';
import { ROLES, withRole, type Action, type Role } from './rules.ts';

type Actions = ConversationType['actions'];
type Props = { actions: Actions; change: (actions: Actions) => void };

/** A box for each action and role. */
export function ActionTable({ actions, change }: Props) {
  return (
    <div className="rules" tabIndex={0} role="group" aria-label="Actions by role">
      <table>
        <thead>
          <tr>
            <th scope="col">Action</th>
            {ROLES.map((role) => (
              <th key={role} scope="col">
                {role}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(Object.keys(actions) as Action[]).map((action) => (
            <tr key={action}>
              <th scope="row">{action.replaceAll('_', ' ')}</th>
              {ROLES.map((role) => (
                <td key={role}>
                  <Box {...{ actions, change, action, role }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Box({ actions, change, action, role }: Props & { action: Action; role: Role }) {
  return (
    <Checkbox
      aria-label={`${action} by ${role}`}
      checked={actions[action].includes(role)}
      onChange={({ currentTarget: { checked: isAllowed } }) =>
        change(withRole(actions, { action, role, isAllowed }))
      }
    />
  );
}
