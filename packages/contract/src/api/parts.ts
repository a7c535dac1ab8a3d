import Type from 'typebox';
import { PART, PART_INPUT, SERVER_PART } from '../examples/message.ts';
import type { ErrorId } from '../errors.ts';
import { MessagePart, PartInput, PartsInput } from '../records/part.ts';
import { url } from '../schema/ids.ts';
import type { Description, Operation, Operations } from './operation.ts';

const WHO = 'The sender of a message may change its parts, and so may servers.';

/** The address of a message, and the answers of the operations on its parts. */
type Place = {
  path: `/${string}`;
  example: MessagePart;
  /** Errors of reading and of changing. */
  errors: readonly ErrorId[];
  auth: Operation['auth'];
};

const SERVER_PATH = '/apps/:app_uuid/conversations/:conversation_id/messages/:message_id';

export const PARTS = {
  ...partsOf({ path: '/messages/:message_id', auth: 'session', example: PART, errors: [] }, ''),
  ...partsOf(
    {
      path: '/conversations/:conversation_id/messages/:message_id',
      auth: 'session',
      example: PART,
      errors: [],
    },
    'InConversation',
  ),
  ...partsOf(
    { path: SERVER_PATH, auth: 'bearer', example: SERVER_PART, errors: ['object_deleted'] },
    'AsServer',
  ),
} satisfies Operations;

function partsOf<Suffix extends string>(place: Place, suffix: Suffix) {
  return withSuffix({ ...readingOf(place), ...changesOf(place), ...replacementOf(place) }, suffix);
}

function withSuffix<Name extends string, Suffix extends string>(
  operations: Record<Name, Operation>,
  suffix: Suffix,
): Record<`${Name}${Suffix}`, Operation> {
  const named = Object.entries<Operation>(operations).map(([name, operation]) => [
    `${name}${suffix}`,
    operation,
  ]);
  return Object.fromEntries(named) as Record<`${Name}${Suffix}`, Operation>;
}

function readingOf({ path, example, errors, auth }: Place) {
  return {
    listParts: {
      route: `GET ${path}/parts`,
      docs: 'messages.md#parts',
      auth,
      operator: 'operator: messages',
      summary: 'Get all parts',
      emptyNotFound: true,
      tag: 'Message parts',
      description: 'All parts of a message.',
      success: listOf(example),
      errors,
    },
    getPart: {
      route: `GET ${path}/parts/:part_id`,
      docs: 'messages.md#parts',
      auth,
      operator: 'operator: messages',
      summary: 'Get a message part',
      emptyNotFound: true,
      tag: 'Message parts',
      description: 'One part of a message.',
      success: { 200: { description: 'The part.', body: { schema: MessagePart, example } } },
      errors,
    },
  } satisfies Operations;
}

function changesOf({ path, example, errors, auth }: Place) {
  const changed = { ...example, updated_at: '2026-11-20T20:16:00.000Z' };
  return {
    addPart: {
      route: `POST ${path}/parts`,
      docs: 'messages.md#parts',
      auth,
      operator: 'operator: messages',
      summary: 'Add a part',
      emptyNotFound: true,
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
    updatePart: {
      route: `PUT ${path}/parts/:part_id`,
      docs: 'messages.md#parts',
      auth,
      operator: 'operator: messages',
      summary: 'Update a part',
      emptyNotFound: true,
      tag: 'Message parts',
      description: `Replaces a part, which keeps its id and its place. ${WHO}`,
      body: { required: true, schema: PartInput, example: PART_INPUT },
      success: { 200: { description: 'The part.', body: { schema: MessagePart, example: changed } } },
      errors: [...errors, 'permission_denied', 'missing_property', 'invalid_property'],
    },
    removePart: {
      route: `DELETE ${path}/parts/:part_id`,
      docs: 'messages.md#parts',
      auth,
      operator: 'operator: messages',
      summary: 'Remove a part',
      emptyNotFound: true,
      tag: 'Message parts',
      description: `Removes a part. The last one stays: \`invalid_operation\`. ${WHO}`,
      success: { 204: { description: 'The part is removed.' } },
      errors: [...errors, 'permission_denied', 'invalid_operation'],
    },
  } satisfies Operations;
}

function replacementOf({ path, example, errors, auth }: Place) {
  return {
    replaceParts: {
      route: `PUT ${path}/parts`,
      docs: 'messages.md#parts',
      auth,
      operator: 'operator: messages',
      summary: 'Replace all parts',
      emptyNotFound: true,
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
  } satisfies Operations;
}

function listOf(example: MessagePart): Description['success'] {
  return {
    200: {
      description: 'The parts in their order.',
      body: { schema: Type.Array(MessagePart), example: [example] },
    },
  };
}
