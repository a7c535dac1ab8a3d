import { isMessage } from '@bufbuild/protobuf';
import { create } from '@parley/codec';
import type { Client, Interceptor, UnaryRequest, UnaryResponse } from '@connectrpc/connect';
import { fail, failNotFound, type ObjectKind } from '@parley/domain/problems';
import type { Wire } from '@parley/domain/wire';
import { ListAppsResponseSchema } from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import { currentContext, runInContext } from '@parley/kit/runtime/request-context';
import type { OperatorCall } from '@parley/administration/audit/call';
import type { OperatorLog } from '@parley/administration/audit/log';
import { DONE } from '@parley/administration/audit/outcome';
import { appIdOf, describeCall } from './describe-call.ts';
import { permissionOf, type Permission } from './permissions.ts';
import { hasRole, knowsApp, PRINCIPAL, type Principal } from '../access/principal.ts';

type Options = { wire: Wire; access: Client<typeof ConsoleService>; log: OperatorLog };

/** Ids in requests, whichever method they are of. */
type Named = { appUuid?: string; providerId?: string; keyId?: string; accessTokenId?: string };

/**
 * Refuses calls that the principal's roles do not cover: without any role in the application, as if it did not exist. A call that changes
 * something is made between two notes in the audit log. Problems: access_denied, not_found, service_unavailable.
 */
export function authorizeCalls(options: Options): Interceptor {
  const { log, wire } = options;
  return (next) => async (call) => {
    const principal = call.contextValues.get(PRINCIPAL);
    const permission = permissionOf(call.service.typeName, call.method.name);
    if (!principal || !permission || call.stream) return fail('access_denied');
    const entry = describeCall(wire, principal, call);
    try {
      await requirePermission(options, { principal, permission, call });
    } catch (error) {
      await log.refused(entry, error);
      throw error;
    }
    if (permission.recorded === 'call') return record(log, entry, () => next(call));
    const answer = await next(call);
    return permission.scope === 'answer' && !answer.stream ? cutToApps(answer, principal) : answer;
  };
}

function record<T>(log: OperatorLog, entry: OperatorCall, make: () => Promise<T>): Promise<T> {
  const run = (actor: string | undefined): Promise<T> => {
    if (actor === undefined) return make();
    const { requestId = '', deadline, signal } = currentContext() ?? {};
    return runInContext({ requestId, deadline, signal, actor }, make);
  };
  return log.record(entry, run, () => DONE);
}

type Asked = { principal: Principal; permission: Permission; call: UnaryRequest };

async function requirePermission(options: Options, { principal, permission, call }: Asked): Promise<void> {
  const { role, scope } = permission;
  if (hasRole(principal, role, undefined)) return;
  if (scope === 'answer') return;
  const named = call.message as Named;
  const place = await placeOf(options, scope, named);
  if (place.kind !== 'platform' && !knowsApp(principal, place.appId)) failNotFound(place.kind, place.id);
  if (place.appId !== undefined && hasRole(principal, role, place.appId)) return;
  fail('access_denied', {
    message: `This takes the role ${role}${scope === 'platform' ? ' of all applications' : ''}.`,
  });
}

type Place = { kind: ObjectKind | 'platform'; id: string; appId: string | undefined };

const PLATFORM: Place = { kind: 'platform', id: '', appId: undefined };

async function placeOf({ wire, access }: Options, scope: Permission['scope'], named: Named): Promise<Place> {
  const { appUuid = '', providerId = '', keyId = '', accessTokenId = '' } = named;
  switch (scope) {
    case 'provider':
      return owned(
        'provider',
        providerId,
        access.findApp({ object: { case: 'providerId', value: providerId } }),
      );
    case 'key':
      return owned('key', keyId, access.findApp({ object: { case: 'keyId', value: keyId } }));
    case 'access_token':
      return owned(
        'access_token',
        accessTokenId,
        access.findApp({ object: { case: 'accessTokenId', value: accessTokenId } }),
      );
    case 'app':
      return { kind: 'app', id: appUuid, appId: appIdOf(wire, appUuid) ?? '' };
    case 'app-or-all':
      return appUuid === '' ? PLATFORM : { kind: 'app', id: appUuid, appId: appIdOf(wire, appUuid) ?? '' };
    default:
      return PLATFORM;
  }
}

async function owned(kind: ObjectKind, id: string, look: Promise<{ appId: string }>): Promise<Place> {
  return { kind, id, appId: (await look).appId };
}

function cutToApps(answer: UnaryResponse, principal: Principal): UnaryResponse {
  if (!isMessage(answer.message, ListAppsResponseSchema)) return fail('access_denied');
  const apps = answer.message.apps.filter(({ appUuid }) => knowsApp(principal, appUuid));
  return { ...answer, message: create(ListAppsResponseSchema, { apps }) };
}
