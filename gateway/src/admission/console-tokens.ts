import { LRUCache } from 'lru-cache';
import type { Client } from '@connectrpc/connect';
import { encodeActor, type ActingPerson } from '@parley/domain/actor';
import { isUuid } from '@parley/domain/ids';
import { percentDecode, percentEncode } from '@parley/domain/percent';
import { fail } from '@parley/domain/problems';
import type { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import type { Caller } from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { HttpResponse } from '@parley/http/answers/response';
import type { OperatorCall } from '@parley/administration/audit/call';
import type { OperatorLog } from '@parley/administration/audit/log';
import { DONE, outcomeOfStatus, type Outcome } from '@parley/administration/audit/outcome';
import { covers, isRole, type OperatorRule, type Role } from '@parley/administration/roles';

/** The parts of a route that decide on access. `operator` undefined: tokens of people are refused. */
type Route = { method: string; path: string; operator: OperatorRule | undefined };

/** A request with an access token. `path` is the path as it was sent, including the application's. */
export type OperatorRequest = { caller: Caller; route: Route; path: string };

/** Checks requests that people make with tokens from the console. Requests of the application's servers pass. */
export type ConsoleTokens = {
  /**
   * Refuses requests that the person's role does not allow, and records in the audit log who is about to read messages. Problems:
   * access_denied, those of the audit log.
   */
  admit(request: OperatorRequest): Promise<void>;
  /** Records that a request was refused before it was admitted. Never fails. */
  refused(request: OperatorRequest, error: unknown): Promise<void>;
  /** Runs a request between two entries of the audit log, if it changes something. `run` gets the actor to pass on to services. */
  record(
    request: OperatorRequest,
    run: (actor: string | undefined) => Promise<HttpResponse>,
  ): Promise<HttpResponse>;
};

type Options = { access: Client<typeof ConsoleService>; log: OperatorLog };

/** Pairs of a token and a path that already have an entry. A token lives for five minutes, during which one entry is enough. */
const MAX_NOTED = 10_000;
const NOTED_MS = 600_000;
/** Longest subject of an audit entry, in characters. */
const MAX_SUBJECT = 512;
/** Longest segment of a subject, in characters: three such segments leave room for the ids of a user, a conversation and a message. */
const MAX_SEGMENT = 150;

export function createConsoleTokens({ access, log }: Options): ConsoleTokens {
  const noted = new LRUCache<string, true>({ max: MAX_NOTED, ttl: NOTED_MS });
  async function noteRead({ caller, route, path }: OperatorRequest): Promise<void> {
    const key = `${caller.id} ${path}`;
    if (noted.has(key)) return;
    await access.recordContentRead({ appId: caller.appId, subject: subjectOf(route, path) });
    noted.set(key, true);
  }
  return {
    async admit(request) {
      const { caller, route } = request;
      if (!personOf(caller)) return;
      const { operator } = route;
      if (!operator || !covers(roleOf(caller), operator.role))
        fail('access_denied', { message: `This takes the role ${operator?.role ?? 'of a server'}.` });
      if (operator.recorded === 'read') await noteRead(request);
    },
    async refused(request, error) {
      if (personOf(request.caller)) await log.refused(callOf(request), error);
    },
    record(request, run) {
      const isRecorded = personOf(request.caller) && request.route.operator?.recorded === 'call';
      return isRecorded ? log.record(callOf(request), run, outcomeOf) : run(undefined);
    },
  };
}

/** The person who got the token from the console; undefined for an application's servers. */
export function personOf({ actorIssuer: issuer, actorSubject: subject }: Caller): ActingPerson | undefined {
  return issuer === undefined || subject === undefined ? undefined : { issuer, subject };
}

/** The actor of a call, encoded for services. */
export function actorOf(caller: Caller): string | undefined {
  const person = personOf(caller);
  return person && encodeActor({ person });
}

/** The lowest possible role of a token whose role an older service does not send. */
function roleOf({ actorRole, withoutContent }: Caller): Role {
  if (actorRole !== undefined && isRole(actorRole)) return actorRole;
  return withoutContent ? 'viewer' : 'operator';
}

function callOf({ caller, route, path }: OperatorRequest): OperatorCall {
  return {
    actor: 'server',
    person: personOf(caller),
    method: `${route.method} ${inApp(route.path)}`,
    appId: caller.appId,
    subject: subjectOf(route, path),
    objectId: path.split('/').map(uuidIn).findLast(Boolean),
    namesUser: route.path.includes('user_id'),
  };
}

/** The path below the application's. Segments that are not ids are left out, since they may be secrets, such as a session token. */
export function subjectOf(route: Pick<Route, 'path'>, path: string): string {
  const names = route.path.split('/');
  const shown = path
    .split('/')
    .map((segment, index) => (isShown(names[index] ?? '') ? shownSegment(segment) : '…'))
    .join('/');
  return inApp(shown).slice(0, MAX_SUBJECT);
}

/** A segment as the platform writes it, so that searches find it; shortened, so that a long user id leaves room for other ids. */
function shownSegment(segment: string): string {
  const name = percentDecode(segment);
  return name === undefined ? '…' : percentEncode(name).slice(0, MAX_SEGMENT);
}

/** The uuid in a path segment, which is a bare uuid or a URI that ends with one. */
function uuidIn(segment: string): string | undefined {
  const last = segment.split(/\/|%2f/i).at(-1) ?? '';
  return isUuid(last) ? last.toLowerCase() : undefined;
}

/** Whether a segment of a route is a word of the API, or an id. */
function isShown(name: string): boolean {
  return !name.startsWith(':') || name === ':app_uuid' || name.endsWith('_id');
}

function inApp(path: string): string {
  return path.replace(/^\/apps\/[^/]+/, '') || '/';
}

function outcomeOf({ status, body }: HttpResponse): Outcome {
  if (status >= 400) return outcomeOfStatus(status, textOf(body, 'id') ?? `http_${status}`);
  const id = textOf(body, 'id')?.split('/').at(-1);
  return id !== undefined && isUuid(id) ? { ...DONE, objectId: id } : DONE;
}

function textOf(body: unknown, key: string): string | undefined {
  const isObject = typeof body === 'object' && body !== null && Object.hasOwn(body, key);
  const value: unknown = isObject ? Reflect.get(body, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}
