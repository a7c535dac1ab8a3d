import { randomUUID } from 'node:crypto';
import { call } from '../../../test/support/http.ts';
import type { Json } from '../../../test/support/json.ts';
import { adminRequestsOf } from '../admin-templates.ts';
import type { PacketSender } from '../packets.ts';
import { findFault, type Http } from '../requests.ts';
import { bodiesOf, requestsOf } from '../templates.ts';
import type { World } from '../world.ts';
import { dimensionsOf } from './dimensions.ts';

/** A request of which one dimension grows. */
export type Growing = {
  /** The row, method or packet. */
  of: string;
  dimension: string;
  /** Sends it, and says what is wrong with the answer. A share of 1 is the largest. */
  send(share: number): Promise<string | undefined>;
};

const BODY_BYTES = 1_048_576;
const ADMIN_BYTES = 4 * BODY_BYTES;
/** The longest headers of a request together, and the longest address. */
const HEAD_BYTES = 12_000;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

type Row = { method: string; path: string; description: Json };

/** Everything that the platform's own descriptions name, in every dimension. */
export async function growingRequests(world: World, packets: PacketSender): Promise<Growing[]> {
  const { body } = await call('GET', `${world.platform.baseUrl}/openapi.json`, 200);
  const rows = Object.entries(body.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, description]): Row => ({
      ...{ method: method.toUpperCase(), path, description },
    })),
  );
  const own = distinct(rows.filter(({ path }) => !path.startsWith('/admin/')));
  return [
    ...(await Promise.all(own.map((row) => growingRow(world, row)))).flat(),
    ...rows.filter(({ path }) => path.startsWith('/admin/rpc/')).flatMap((row) => growingMethod(world, row)),
    ...(await growingPackets(world, packets)),
  ];
}

/**
 * A row of servers that has the path and the body of a row of users reads the same, and is left out. Webhooks come last, since attempts to reach them go on
 * meanwhile.
 */
function distinct(rows: readonly Row[]): Row[] {
  const byForm = new Map<string, Row>();
  for (const row of rows) {
    const path = row.path
      .replace(/^\/apps\/\{app_uuid\}(?=\/)/, '')
      .replace(/^\/users\/\{user_id\}(?=\/)/, '');
    const form = JSON.stringify([row.method, path, schemasOf(row.description)]);
    byForm.set(form, byForm.get(form) ?? row);
  }
  const isLast = ({ path }: Row): number => Number(path.includes('webhooks'));
  return [...byForm.values()].sort((one, other) => isLast(one) - isLast(other));
}

async function growingRow(world: World, row: Row): Promise<Growing[]> {
  const bodies = row.description.requestBody ? await growingBodies(world, row) : [];
  // What is there has to stay for the requests after it.
  return row.method === 'DELETE' ? bodies : [...bodies, ...growingHeads(world, row)];
}

async function growingBodies(world: World, row: Row): Promise<Growing[]> {
  const values = await acceptedOf(world, row);
  return values.flatMap((value) =>
    dimensionsOf(value, BODY_BYTES).map(({ name, grow }) => ({
      ...{ of: `${row.method} ${row.path}`, dimension: name },
      send: (share: number) => findFaultOf(request(world, { ...row, body: fresh(world, grow(share)) })),
    })),
  );
}

/** The bodies that the row accepts, so that they come as far as they can; where it accepts none, all that may be meant for it. */
async function acceptedOf(world: World, row: Row): Promise<unknown[]> {
  const bodies = bodiesOf(world);
  const word = row.path.split('/').findLast((segment) => Object.hasOwn(bodies, segment)) ?? '';
  const [made, shown] = [bodies[word] ?? [], examplesOf(row.description)];
  const accepted: unknown[] = [];
  for (const value of [...made, ...shown]) {
    if (accepted.length > 0 && shown.includes(value)) continue;
    const sent = request(world, { ...row, body: fresh(world, JSON.stringify(value)) });
    const fault = await findFault({ note: (status) => /^2/.test(status) && accepted.push(value) }, sent);
    if (fault !== undefined) throw new Error(`${row.method} ${row.path}: ${fault}`);
  }
  return accepted.length > 0 ? accepted : [...made, ...shown];
}

function schemasOf({ requestBody }: Json): unknown[] {
  return Object.values((requestBody?.content ?? {}) as Record<string, Json>).map(
    ({ schema }) => schema as unknown,
  );
}

function examplesOf({ requestBody }: Json): unknown[] {
  const types = Object.values(requestBody.content as Record<string, Json>);
  return types.flatMap(({ example, examples }): unknown[] => {
    const named = Object.values((examples ?? {}) as Record<string, Json>);
    return [...(example === undefined ? [] : [example]), ...named.map(({ value }) => value as unknown)];
  });
}

/** The number and length of parameters of the query and of headers. */
function growingHeads(world: World, row: Row): Growing[] {
  const { method, path, description } = row;
  const of = `${method} ${path}`;
  const ask = (more: Partial<Asked>) => findFaultOf(request(world, { ...row, ...more }));
  const parameters = (description.parameters ?? []) as Json[];
  const named = (place: string) =>
    parameters.filter((one) => one.in === place).map((one) => String(one.name));
  const length = (share: number) => 'x'.repeat(share * HEAD_BYTES);
  const many = (share: number) =>
    Array.from({ length: (share * HEAD_BYTES) / 12 }, (_, index) => `p${index}`);
  return [
    {
      ...{ of, dimension: 'number of parameters' },
      send: (share) =>
        ask({
          query: many(share)
            .map((name) => `${name}=xxxx`)
            .join('&'),
        }),
    },
    {
      ...{ of, dimension: 'number of headers' },
      send: (share) => ask({ headers: Object.fromEntries(many(share).map((name) => [name, 'xxxx'])) }),
    },
    ...named('query').map((name) => ({
      ...{ of, dimension: `length of the parameter ${name}` },
      send: (share: number) => ask({ query: `${name}=${length(share)}` }),
    })),
    ...named('header').map((name) => ({
      ...{ of, dimension: `length of the header ${name}` },
      send: (share: number) => ask({ headers: { [name.toLowerCase()]: length(share) } }),
    })),
  ];
}

function growingMethod(world: World, { path }: Row): Growing[] {
  const method = path.replace('/admin/rpc/', '');
  const values = adminRequestsOf(world)[method];
  if (!values) throw new Error(`no request of ${method} is known`);
  const headers = {
    ...{ 'content-type': 'application/json', authorization: `Bearer ${world.platform.adminToken}` },
  };
  const url = `${world.platform.baseUrl}${path}`;
  return values.flatMap((value) =>
    dimensionsOf(value, ADMIN_BYTES).map(({ name, grow }) => ({
      ...{ of: method, dimension: name },
      send: (share: number) => {
        const body = fresh(world, grow(share));
        return findFaultOf({ kind: 'http', method: 'POST', url, headers, body });
      },
    })),
  );
}

async function growingPackets(world: World, packets: PacketSender): Promise<Growing[]> {
  const { body } = await call('GET', `${world.platform.baseUrl}/asyncapi.json`, 200);
  const known = requestsOf(world);
  const described = new Set(JSON.stringify(body).match(/(?<="const":")[A-Z]\w+\.\w+(?=")/g));
  const missing = [...described].filter(
    (method) => isRequest(body, method) && known.every((one) => one.method !== method),
  );
  if (missing.length > 0) throw new Error(`no packet of ${missing.join()} is known`);
  return known.flatMap((given) => {
    const packet = { type: 'request', body: { request_id: given.method, ...given } };
    return dimensionsOf(packet, BODY_BYTES).map(({ name, grow }) => ({
      ...{ of: given.method, dimension: name },
      send: (share: number) => packets.findFault(fresh(world, grow(share))),
    }));
  });
}

/** Operations that the gateway does not ask for are requests of clients. */
function isRequest({ components }: Json, method: string): boolean {
  const packets = Object.values(components.schemas as Record<string, Json>);
  return packets.some((schema) => {
    const properties = (schema.properties?.body?.properties ?? {}) as Record<string, Json>;
    return properties['method']?.const === method && schema.properties?.type?.const === 'request';
  });
}

type Asked = Row & { query?: string; headers?: Record<string, string>; body?: string };

function findFaultOf(sent: Http): Promise<string | undefined> {
  return findFault({ note: () => undefined }, sent);
}

function request(world: World, { method, path, description, query, headers, body }: Asked): Http {
  const { app, actor, platform } = world;
  const isOfServer = description.security?.[0]?.bearer !== undefined;
  const authorization = isOfServer ? `Bearer ${app.accessToken}` : `Svc session-token="${actor.token}"`;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(world, name));
  return {
    ...{ kind: 'http', method, body },
    url: `${platform.baseUrl}${filled}${query ? `?${query}` : ''}`,
    headers: {
      accept: 'application/vnd.svc+json; version=3.0, application/vnd.svc.webhooks+json; version=3.0',
      ...{ 'content-type': 'application/json', authorization, 'upload-content-type': 'text/plain' },
      ...{ 'upload-content-length': '5', ...headers },
    },
  };
}

function idOf({ app, other, ids }: World, name: string): string {
  if (name === 'app_uuid') return app.appUuid;
  if (name.endsWith('user_id')) return other;
  return Object.entries(ids).find(([kind]) => name === `${kind}_id`)?.[1] ?? ids.message;
}

/** Puts new ids in place of those that name nothing yet: a request with an id that is taken would be refused early. */
function fresh({ ids, app, victim }: World, text: string): string {
  const known = JSON.stringify([ids, app, victim]);
  const made = new Map<string, string>();
  return text.replace(UUID, (id) => {
    if (known.includes(id)) return id;
    if (!made.has(id)) made.set(id, randomUUID());
    return made.get(id)!;
  });
}
