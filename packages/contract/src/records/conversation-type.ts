import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { ACTIONS, FEATURES, ROLES, type Action, type Feature } from '../policy.ts';
import { named, nullable, oneOf, optional } from '../schema/schema.ts';

const ROLE = oneOf(ROLES, 'A role of participants.');
const ROLE_LIST = Type.Array(ROLE, { description: 'The roles that may do it.' });

function perAction(each: typeof ROLE_LIST) {
  return Object.fromEntries(Object.keys(ACTIONS).map((action) => [action, each])) as Record<
    Action,
    typeof ROLE_LIST
  >;
}

const SWITCH = Type.Boolean({ description: 'False switches it off.' });

function perFeature() {
  return Object.fromEntries(FEATURES.map((feature) => [feature, SWITCH])) as Record<Feature, typeof SWITCH>;
}

function seconds(description: string, maximum: number) {
  return Type.Integer({ minimum: 0, maximum, description });
}

const CREATE = oneOf(['users', 'servers'], 'Who creates conversations of the type.');
const HISTORY = oneOf(['all', 'none'], 'What who is added sees of the time before.');
const MOST = Type.Integer({
  minimum: 1,
  description: 'The most participants; the limit of the platform holds as well.',
});
const SLOW = seconds(
  'The least time between two messages of a participant; 0: none.',
  limits.slowModeInSeconds,
);
const RETENTION = seconds(
  'How long messages are kept; null, as yet always: without end.',
  limits.windowInSeconds,
);
const LIVE = Type.Literal(false, { description: 'Kept for rooms that are watched.' });
const EDIT_WINDOW = seconds(
  'How long the parts of a message may be edited; null: without end.',
  limits.windowInSeconds,
);
const DELETE_WINDOW = seconds(
  'How long a message may be deleted for all; null: without end.',
  limits.windowInSeconds,
);
const EDIT_HISTORY = oneOf(['none', 'servers', 'participants'], 'Who reads earlier versions of messages.');
const PUSH_LEVEL = oneOf(['all', 'mentions', 'none'], 'Of which messages pushes are made.');

export const ConversationType = named(
  'ConversationType',
  Type.Object(
    {
      name: Type.String({ description: 'The name of the type.' }),
      actions: Type.Object(perAction(ROLE_LIST), { description: 'What the roles may do.' }),
      features: Type.Object(perFeature(), { description: 'What there is in conversations of the type.' }),
      create: CREATE,
      creator_role: ROLE,
      newcomer_history: HISTORY,
      max_participants: nullable(MOST),
      slow_mode_in_seconds: SLOW,
      message_retention_in_seconds: nullable(RETENTION),
      edit_window_in_seconds: nullable(EDIT_WINDOW),
      delete_window_in_seconds: nullable(DELETE_WINDOW),
      edit_history: EDIT_HISTORY,
      push_level: PUSH_LEVEL,
      live: LIVE,
    },
    { description: 'The rules of a kind of conversation.' },
  ),
);
export type ConversationType = Static<typeof ConversationType>;

export const ConversationTypeInput = named(
  'ConversationTypeInput',
  Type.Object(
    {
      actions: optional(
        Type.Partial(Type.Object(perAction(ROLE_LIST)), {
          additionalProperties: false,
          description: 'Actions that are left out keep their default.',
        }),
      ),
      features: optional(
        Type.Partial(Type.Object(perFeature()), {
          additionalProperties: false,
          description: 'Features that are left out are on.',
        }),
      ),
      create: optional(CREATE),
      creator_role: optional(ROLE),
      newcomer_history: optional(HISTORY),
      max_participants: optional(MOST),
      slow_mode_in_seconds: optional(SLOW),
      edit_window_in_seconds: optional(EDIT_WINDOW),
      delete_window_in_seconds: optional(DELETE_WINDOW),
      edit_history: optional(EDIT_HISTORY),
      push_level: optional(PUSH_LEVEL),
      live: optional(LIVE),
    },
    { description: 'Rules of a type; what is left out is the default.' },
  ),
);
export type ConversationTypeInput = Static<typeof ConversationTypeInput>;

export const Permissions = Type.Array(Type.Unsafe<Action>(oneOf(Object.keys(ACTIONS), 'An action.')), {
  description:
    'What the user may do at the moment, in answers about one conversation whose type is not the unchanged `default`.',
});
