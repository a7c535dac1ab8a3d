import { ROUTES } from '../routes/index.ts';
import { showsNoMessages } from './content-reads.ts';

// docs/console.md#reading-messages

const PATHS = [...new Set(ROUTES.filter(({ auth }) => auth === 'bearer').map(({ path }) => path))];

test.each(
  PATHS.filter((path) =>
    /conversation|message|content|announcement|notification|delivery_id|push|as_user_id/.test(path),
  ),
)('%s counts as showing messages', (path) => expect(showsNoMessages(path)).toBe(false));

test('a route that is new counts as showing messages', () => {
  expect(showsNoMessages('/apps/:app_uuid/anything')).toBe(false);
  expect(showsNoMessages('/apps/:app_uuid/users/:user_id/anything')).toBe(false);
  expect(showsNoMessages('/apps/:app_uuid/users/:user_id')).toBe(true);
});
