import { limits } from '@parley/contract/limits';
import { countCharacters } from '../user-id.ts';
import { invalid, missing } from './fields.ts';

/** The text `q` by which users are found; undefined: there is none. Fails with invalid_property. docs/protocol/users.md#finding-users */
export function parseUserSearch(query: URLSearchParams): string | undefined {
  const text = query.get('q');
  if (text === null) return undefined;
  const fits =
    text !== '' && text.isWellFormed() && !text.includes('\0') && countCharacters(text) <= limits.userSearch;
  return fits ? text : invalid('q', `must have 1 to ${limits.userSearch} characters.`);
}

/** Parses the text `q` where it must be there. Fails with missing_property, invalid_property. */
export function requireUserSearch(query: URLSearchParams): string {
  return parseUserSearch(query) ?? missing('q');
}
