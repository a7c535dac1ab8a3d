import {
  exportJson,
  exportSettingsJson,
  exportStatusUrl,
  requestedExportJson,
} from '@parley/domain/json/export';
import { parseExportKey, parseExportSchedule } from '@parley/domain/parse/export';
import { fail, failNotFound } from '@parley/domain/problems';
import type { Uses } from './context.ts';
import { pathIdOf } from './request/params.ts';
import type { ApiRequest } from './request/route.ts';
import { EXPORT_WEIGHT } from '../admission/limits/weights.ts';
import type { HttpResponse } from '@parley/http/answers/response';

export async function registerExportKey(
  { exports }: Uses<'exports'>,
  { appId, body }: ApiRequest,
): Promise<HttpResponse> {
  await exports.registerKey({ appId, ...parseExportKey(body) });
  return { status: 200 };
}

export async function getExportKey(
  { exports }: Uses<'exports'>,
  { appId }: ApiRequest,
): Promise<HttpResponse> {
  const { publicKey } = await exports.getKey({ appId });
  return { status: 200, body: { public_key: publicKey } };
}

export async function requestExport(
  { exports }: Uses<'exports'>,
  { appId, view, weigh }: ApiRequest,
): Promise<HttpResponse> {
  weigh(EXPORT_WEIGHT);
  const { export: record } = await exports.requestExport({ appId });
  if (!record) return fail('internal_server_error');
  const headers = { location: exportStatusUrl(view, record.id) };
  return { status: 202, headers, body: requestedExportJson(view, record) };
}

export async function getExport(ctx: Uses<'exports' | 'wire'>, request: ApiRequest): Promise<HttpResponse> {
  const id = exportIdOf(ctx, request);
  const { export: record } = await ctx.exports.getExport({ appId: request.appId, id });
  return { status: 200, body: exportJson(request.view, record ?? failNotFound('export', id)) };
}

export async function listExports(
  { exports }: Uses<'exports'>,
  { appId, view }: ApiRequest,
): Promise<HttpResponse> {
  const { exports: records } = await exports.listExports({ appId });
  return { status: 200, body: records.map((record) => exportJson(view, record)) };
}

export async function deleteExport(
  ctx: Uses<'exports' | 'wire'>,
  request: ApiRequest,
): Promise<HttpResponse> {
  await ctx.exports.deleteExport({ appId: request.appId, id: exportIdOf(ctx, request) });
  return { status: 204 };
}

export async function configureExportSchedule(
  { exports }: Uses<'exports'>,
  { appId, body }: ApiRequest,
): Promise<HttpResponse> {
  await exports.configureSchedule({ appId, ...parseExportSchedule(body) });
  return { status: 200 };
}

export async function getExportSchedule(
  { exports }: Uses<'exports'>,
  { appId }: ApiRequest,
): Promise<HttpResponse> {
  const { settings } = await exports.getSchedule({ appId });
  return { status: 200, body: exportSettingsJson(settings ?? fail('internal_server_error')) };
}

function exportIdOf({ wire }: Uses<'wire'>, { params }: ApiRequest): string {
  return pathIdOf(wire, params, 'export');
}
