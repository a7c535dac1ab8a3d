import {
  exportJson,
  exportSettingsJson,
  exportStatusUrl,
  requestedExportJson,
} from '@parley/domain/json/export';
import { parseExportKey, parseExportSchedule } from '@parley/domain/parse/export';
import { parseUri } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import type { GatewayContext } from '../context.ts';
import type { ApiRequest, Handler, Route } from './route.ts';
import { EXPORT_WEIGHT } from '../limits/weights.ts';

const registerKey: Handler = async ({ exports }, { appId, body }) => {
  await exports.registerKey({ appId, ...parseExportKey(body) });
  return { status: 200 };
};

const getKey: Handler = async ({ exports }, { appId }) => {
  const { publicKey } = await exports.getKey({ appId });
  return { status: 200, body: { public_key: publicKey } };
};

const requestExport: Handler = async ({ exports }, { appId, view, weigh }) => {
  weigh(EXPORT_WEIGHT);
  const { export: record } = await exports.requestExport({ appId });
  if (!record) return fail('internal_server_error');
  const headers = { location: exportStatusUrl(view, record.id) };
  return { status: 202, headers, body: requestedExportJson(view, record) };
};

const getStatus: Handler = async (ctx, request) => {
  const { export: record } = await ctx.exports.getExport({
    appId: request.appId,
    id: exportIdOf(ctx, request),
  });
  return { status: 200, body: exportJson(request.view, record ?? fail('not_found')) };
};

const listExports: Handler = async ({ exports }, { appId, view }) => {
  const { exports: records } = await exports.listExports({ appId });
  return { status: 200, body: records.map((record) => exportJson(view, record)) };
};

const deleteExport: Handler = async (ctx, request) => {
  await ctx.exports.deleteExport({ appId: request.appId, id: exportIdOf(ctx, request) });
  return { status: 204 };
};

const configureSchedule: Handler = async ({ exports }, { appId, body }) => {
  await exports.configureSchedule({ appId, ...parseExportSchedule(body) });
  return { status: 200 };
};

const getSchedule: Handler = async ({ exports }, { appId }) => {
  const { settings } = await exports.getSchedule({ appId });
  return { status: 200, body: exportSettingsJson(settings ?? fail('internal_server_error')) };
};

function exportIdOf({ wire }: GatewayContext, { params }: ApiRequest): string {
  return parseUri(wire, 'exports', params['export_id'] ?? '') ?? fail('not_found');
}

const app = '/apps/:app_uuid';
const all = `${app}/exports`;
const one = `${all}/:export_id`;
const bearer = { auth: 'bearer' } as const;

/** SPEC Export endpoints */
export const exports: Route[] = [
  {
    method: 'PUT',
    path: `${app}/export_security`,
    ...bearer,
    summary: 'Register or replace the public key',
    handle: registerKey,
  },
  { method: 'GET', path: `${app}/export_security`, ...bearer, summary: 'Get the public key', handle: getKey },
  {
    method: 'POST',
    path: all,
    ...bearer,
    kind: 'export',
    summary: 'Request a historical export',
    handle: requestExport,
  },
  { method: 'GET', path: all, ...bearer, kind: 'list', summary: 'List exports', handle: listExports },
  {
    method: 'GET',
    path: `${one}/status`,
    ...bearer,
    summary: 'Get the status of an export',
    handle: getStatus,
  },
  { method: 'DELETE', path: one, ...bearer, summary: 'Delete or cancel an export', handle: deleteExport },
  {
    method: 'PUT',
    path: `${app}/export_schedule`,
    ...bearer,
    summary: 'Configure scheduled exports',
    handle: configureSchedule,
  },
  {
    method: 'GET',
    path: `${app}/export_schedule`,
    ...bearer,
    summary: 'Get the settings of scheduled exports',
    handle: getSchedule,
  },
];
