import { EXPORT_EVENTS, USUAL_EXPORT_EVENTS } from '@parley/contract/values';

export { EXPORT_EVENTS, USUAL_EXPORT_EVENTS };

export type ExportEvent = (typeof EXPORT_EVENTS)[number];

export function isExportEvent(name: unknown): name is ExportEvent {
  return (EXPORT_EVENTS as readonly unknown[]).includes(name);
}
