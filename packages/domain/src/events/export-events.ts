/** What a scheduled export may hold. SPEC Export endpoints */
export const exportEvents = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.deleted',
  'conversation.created',
  'conversation.updated.participants',
  'conversation.updated.metadata',
  'conversation.deleted',
] as const;

export type ExportEvent = (typeof exportEvents)[number];

export function isExportEvent(name: unknown): name is ExportEvent {
  return (exportEvents as readonly unknown[]).includes(name);
}
