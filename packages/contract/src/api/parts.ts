import Type from 'typebox';
import { PART, PART_INPUT, SERVER_PART } from '../examples/message.ts';
import type { ErrorId } from '../errors.ts';
import { MessagePart, PartInput, PartsInput } from '../records/part.ts';
import { url } from '../schema/ids.ts';
import type { Operation, Operations } from './operation.ts';

const WHO = 'The sender of a message may change its parts, and so may servers.';

/** Where a message is found, and what the operations of its parts are called there. */
type Place = {
  path: string;
  /** Behind the ids of operations. */
  suffix: string;
  example: MessagePart;
  /** Of reading and of changing. */
  errors: readonly ErrorId[];
};

const SERVER_PATH = '/apps/:app_uuid/conversations/:conversation_id/messages/:message_id';

export const PARTS: Operations = {
  ...partsOf({ path: '/messages/:message_id', suffix: '', example: PART, errors: [] }),
  ...partsOf({
    path: '/conversations/:conversation_id/messages/:message_id',
    suffix: 'InConversation',
    example: PART,
    errors: [],
  }),
  ...partsOf({
    path: SERVER_PATH,
    suffix: 'AsServer',
    example: SERVER_PART,
    errors: ['object_deleted'],
  }),
};

function partsOf(place: Place): Operations {
  return { ...readingOf(place), ...changesOf(place), ...replacementOf(place) };
}

function readingOf({ path, suffix, example, errors }: Place): Operations {
  return {
    [`GET ${path}/parts`]: {
      id: `listParts${suffix}`,
      tag: 'Message parts',
      description: 'All parts of a message.',
      success: listOf(example),
      errors,
    },
    [`GET ${path}/parts/:part_id`]: {
      id: `getPart${suffix}`,
      tag: 'Message parts',
      description: 'One part of a message.',
      success: { 200: { description: 'The part.', body: { schema: MessagePart, example } } },
      errors,
    },
  };
}

function changesOf({ path, suffix, example, errors }: Place): Operations {
  const changed = { ...example, updated_at: '2026-11-20T20:16:00.000Z' };
  return {
    [`POST ${path}/parts`]: {
      id: `addPart${suffix}`,
      tag: 'Message parts',
      description: `Adds a part behind the last one. ${WHO}`,
      body: { required: true, schema: PartInput, example: PART_INPUT },
      success: {
        201: {
          description: 'The new part.',
          headers: { Location: url('Where the part is read.') },
          body: { schema: MessagePart, example: changed },
        },
      },
      errors: [...errors, 'permission_denied', 'missing_property', 'invalid_property', 'id_in_use'],
      errorData: { id_in_use: MessagePart },
    },
    [`PUT ${path}/parts/:part_id`]: {
      id: `updatePart${suffix}`,
      tag: 'Message parts',
      description: `Replaces a part, which keeps its id and its place. ${WHO}`,
      body: { required: true, schema: PartInput, example: PART_INPUT },
      success: { 200: { description: 'The part.', body: { schema: MessagePart, example: changed } } },
      errors: [...errors, 'permission_denied', 'missing_property', 'invalid_property'],
    },
    [`DELETE ${path}/parts/:part_id`]: {
      id: `removePart${suffix}`,
      tag: 'Message parts',
      description: `Removes a part. The last one stays: \`invalid_operation\`. ${WHO}`,
      success: { 204: { description: 'The part is removed.' } },
      errors: [...errors, 'permission_denied', 'invalid_operation'],
    },
  };
}

function replacementOf({ path, suffix, example, errors }: Place): Operations {
  return {
    [`PUT ${path}/parts`]: {
      id: `replaceParts${suffix}`,
      tag: 'Message parts',
      description: `Replaces all parts. A part whose \`id\` the message has already is updated; the others are added. ${WHO}`,
      body: {
        required: true,
        schema: PartsInput,
        example: [PART_INPUT],
      },
      success: listOf({ ...example, updated_at: '2026-11-20T20:16:00.000Z' }),
      errors: [...errors, 'permission_denied', 'missing_property', 'invalid_property'],
    },
  };
}

function listOf(example: MessagePart): Operation['success'] {
  return {
    200: {
      description: 'The parts in their order.',
      body: { schema: Type.Array(MessagePart), example: [example] },
    },
  };
}
