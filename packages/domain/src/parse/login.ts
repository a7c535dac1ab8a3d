import { parseAppUri } from '../ids.ts';
import { fail } from '../problems.ts';
import type { Wire } from '../wire.ts';
import { parseObject, requiredText } from './fields.ts';

/** A request to exchange an identity token for a session token. */
export type LoginInput = {
  /** URI of the app with its environment. */
  appId: string;
  identityToken: string;
};

/**
 * Reads `{app_id, identity_token}`. Fails with missing_property, invalid_property, invalid_request, and with invalid_app_id
 * for a text that is not the URI of an app. docs/protocol/authentication.md#sessions
 */
export function parseLogin(wire: Wire, body: unknown): LoginInput {
  const fields = parseObject(body);
  const identityToken = requiredText(fields, 'identity_token');
  const appId = requiredText(fields, 'app_id');
  return parseAppUri(wire, appId) ? { appId, identityToken } : fail('invalid_app_id');
}
