import type { UnaryRequest } from '@connectrpc/connect';
import { isUuid, parseAppUri } from '@parley/domain/ids';
import type { Wire } from '@parley/domain/wire';
import type { OperatorCall } from '@parley/administration/audit/call';
import type { Principal } from '../access/principal.ts';

/** Ids in requests, whichever method they are of. The first that a request has says what it is about. */
const IDS = [
  'userId',
  'keyId',
  'providerId',
  'accessTokenId',
  'automationTokenId',
  'consoleSessionId',
  'appUuid',
] as const;

type Named = Partial<Record<(typeof IDS)[number], string>>;

/** A call as the audit log names it: by its method and the ids in it, and nothing else of the request. */
export function describeCall(wire: Wire, { person }: Principal, call: UnaryRequest): OperatorCall {
  const named = call.message as Named;
  const { appUuid = '', userId = '' } = named;
  const id = IDS.find((name) => named[name] !== undefined && named[name] !== '');
  const uuid = id === undefined || id === 'userId' ? undefined : uuidIn(named[id] ?? '');
  return {
    actor: 'admin',
    person,
    method: `${call.service.typeName.split('.').at(-1)}/${call.method.name}`,
    appId: appIdOf(wire, appUuid),
    subject: id === 'userId' ? userId : (uuid ?? ''),
    objectId: uuid,
    namesUser: id === 'userId',
  };
}

/** As identity reads it. */
export function appIdOf(wire: Wire, text: string): string | undefined {
  return isUuid(text) ? text.toLowerCase() : parseAppUri(wire, text)?.appId;
}

/** The uuid in a URI or a bare uuid. Any other text may be a secret that was sent by mistake, and is not shown. */
function uuidIn(text: string): string | undefined {
  const last = text.split('/').at(-1) ?? '';
  return isUuid(last) ? last.toLowerCase() : undefined;
}
