/** What a scheduled export may hold. SPEC Export endpoints */
export const EXPORT_EVENTS = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.deleted',
  'conversation.created',
  'conversation.updated.participants',
  'conversation.updated.metadata',
  'conversation.deleted',
] as const;

export type ExportEvent = (typeof EXPORT_EVENTS)[number];

export function isExportEvent(name: unknown): name is ExportEvent {
  return (EXPORT_EVENTS as readonly unknown[]).includes(name);
}
