import type { ChangeBody } from '@parley/domain/json/change';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { frameBody, type FrameBody } from '../../connection/frame.ts';
import type { About } from '../../connection/gone-objects.ts';

type Place = Pick<Event, 'conversationId' | 'seq'>;

/** The body of a change that an event makes. */
export function changeFrame(event: Place, body: ChangeBody): FrameBody {
  return frameBody(body, aboutChange(event, body));
}

/** Describes a packet that creates a message. */
export function aboutMessage({ conversationId, seq }: Place, id: string): About {
  return { operation: 'create', id, within: [conversationId], seq, isMessage: true };
}

/** Describes a packet about a conversation's present state. */
export function aboutConversation(id: string): About {
  return { operation: 'update', id, within: [], seq: undefined };
}

/**
 * No gone-object tracking for identities: they come and go with their followers, and their presence says when they are deleted, so a packet
 * may name a deleted one.
 */
function aboutChange({ conversationId, seq }: Place, body: ChangeBody): About | undefined {
  const { operation, object } = body;
  const segments = object.id.split('/');
  const id = segments.at(-1) ?? '';
  const isForAll = operation === 'delete' && 'mode' in body.data && body.data.mode === 'all_participants';
  switch (object.type) {
    case 'Conversation':
      return { operation, id, within: [], seq, isForAll };
    case 'Message':
      if (operation === 'create') return aboutMessage({ conversationId, seq }, id);
      return { operation, id, within: [conversationId], seq, isForAll };
    case 'MessagePart':
      return { operation, id, within: [conversationId, segments.at(-3) ?? ''], seq };
    case 'Announcement':
      return { operation, id, within: [], seq: undefined };
    case 'Identity':
      return undefined;
  }
}
