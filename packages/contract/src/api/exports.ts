import Type from 'typebox';
import {
  EXPORT,
  EXPORT_SCHEDULE_INPUT,
  EXPORT_SETTINGS,
  PUBLIC_KEY,
  REQUESTED_EXPORT,
} from '../examples/export.ts';
import { Export, ExportKey, ExportKeyInput, ExportScheduleInput, ExportSettings } from '../records/export.ts';
import { url } from '../schema/ids.ts';
import type { Operations } from './operation.ts';

const HOW_TO_OPEN =
  'The archive is a gzipped tar file with the one file `export.json`, encrypted with AES-256-CBC: `encrypted_aes_key` holds the key, encrypted with the registered public key, and `aes_iv` the initialization vector.';

export const EXPORTS = {
  registerExportKey: {
    route: 'PUT /apps/:app_uuid/export_security',
    docs: 'exports.md#the-key',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'Register or replace the public key',
    tag: 'Exports',
    description:
      'Registers the public key with which later archives are encrypted, in place of the one before.',
    body: { schema: ExportKeyInput, example: { public_key: PUBLIC_KEY }, required: true },
    success: { 200: { description: 'The key is registered. The body is empty.' } },
    errors: ['missing_property', 'invalid_property'],
  },
  getExportKey: {
    route: 'GET /apps/:app_uuid/export_security',
    docs: 'exports.md#the-key',
    auth: 'bearer',
    operator: 'viewer: none',
    summary: 'Get the public key',
    tag: 'Exports',
    description: 'The registered public key.',
    success: {
      200: { description: 'The key.', body: { schema: ExportKey, example: { public_key: PUBLIC_KEY } } },
    },
    errors: ['not_found'],
  },
  requestExport: {
    route: 'POST /apps/:app_uuid/exports',
    docs: 'exports.md#historical-exports',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'Request a historical export',
    kind: 'export',
    tag: 'Exports',
    description: `Requests an archive of all conversations and messages as they are now. A key has to be registered, and one such export in 24 hours is possible. ${HOW_TO_OPEN}`,
    success: {
      202: {
        description: 'The export will be made; its status is polled.',
        headers: { Location: url('Where the status is read; the same as `status_url`.') },
        body: { schema: Export, example: REQUESTED_EXPORT },
      },
    },
    errors: ['invalid_operation'],
  },
  listExports: {
    route: 'GET /apps/:app_uuid/exports',
    docs: 'exports.md#status-of-an-export',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'List exports',
    kind: 'list',
    tag: 'Exports',
    description: 'All exports that have not expired, newest first.',
    success: {
      200: { description: 'The exports.', body: { schema: Type.Array(Export), example: [EXPORT] } },
    },
    errors: [],
  },
  getExport: {
    route: 'GET /apps/:app_uuid/exports/:export_id/status',
    docs: 'exports.md#status-of-an-export',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'Get the status of an export',
    tag: 'Exports',
    description: `An export; when it is complete, with the address of its archive. ${HOW_TO_OPEN}`,
    success: { 200: { description: 'The export.', body: { schema: Export, example: EXPORT } } },
    errors: ['not_found'],
  },
  deleteExport: {
    route: 'DELETE /apps/:app_uuid/exports/:export_id',
    docs: 'exports.md#status-of-an-export',
    auth: 'bearer',
    operator: 'owner: none',
    summary: 'Delete or cancel an export',
    tag: 'Exports',
    description:
      'Deletes an export and its archive, or cancels one that is running; another may be requested then.',
    success: { 204: { description: 'The export is gone.' } },
    errors: ['not_found'],
  },
  configureExportSchedule: {
    route: 'PUT /apps/:app_uuid/export_schedule',
    docs: 'exports.md#scheduled-exports',
    auth: 'bearer',
    operator: 'owner: messages',
    summary: 'Configure scheduled exports',
    tag: 'Exports',
    description:
      'Begins, changes or ends the daily exports of events. The first one has the events from now on. A key has to be registered.',
    body: { schema: ExportScheduleInput, example: EXPORT_SCHEDULE_INPUT, required: true },
    success: { 200: { description: 'The schedule is kept. The body is empty.' } },
    errors: ['missing_property', 'invalid_property', 'invalid_operation'],
  },
  getExportSchedule: {
    route: 'GET /apps/:app_uuid/export_schedule',
    docs: 'exports.md#scheduled-exports',
    auth: 'bearer',
    operator: 'viewer: none',
    summary: 'Get the settings of scheduled exports',
    tag: 'Exports',
    description: 'The schedule of exports; `disabled` when none was ever configured.',
    success: {
      200: { description: 'The schedule.', body: { schema: ExportSettings, example: EXPORT_SETTINGS } },
    },
    errors: [],
  },
} satisfies Operations;
