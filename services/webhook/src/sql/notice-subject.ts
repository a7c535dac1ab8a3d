import type { Event } from '@parley/proto/parley/event/v1/event_pb';

export type NoticeSubject = { userId: string; incarnation: number };

/** The user whose messages or data a notice of an event holds, if there is one: the erasure of that user deletes it. */
export function subjectOf({ actor, body, isTest }: Event): NoticeSubject | undefined {
  if (isTest) return undefined;
  switch (body.case) {
    case 'messageCreated':
    case 'messageDeleted':
    case 'messagePartsChanged':
    case 'messageUpdated':
      return body.value.message?.sender ?? actor;
    case 'identityChanged':
      return body.value.identity;
    case 'pushSettled':
      return body.value.recipient;
    default:
      return actor;
  }
}
